import { writeFile } from 'node:fs/promises'
import { makeDataDir, startChain } from '@rookery/embedded-chain/test/market'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VideoMaker } from '../src/adapters/video/video-maker.js'
import { startReceiver } from './receiver.js'
import { createShareMarket, OPERATOR_PRIVATE_KEY } from './share-market.js'
import { startServer } from './start-server.js'
import { moderatorWallet } from './statements/moderators.js'
import { recordStatements } from './statements/record.js'
import { contains, findTemplates, listTemplates, type Template } from './statements/templates.js'
import { takeTour } from './statements/tour.js'
import { makeVideo } from './videos.js'

// A tour of the whole service records every statement it sends. Each of them is prepared, which fails if it names a missing
// column; and each SQL template in the source must be part of one of them.

const folder = await makeDataDir()
const chain = await startChain(folder.dataDir)
const recorded = recordStatements()
const receiver = await startReceiver()
const film = Buffer.from(await (await makeVideo()).arrayBuffer())
const videoMaker: VideoMaker = {
  engine: 'none',
  async advance({ providerId }, { target }) {
    if (!providerId) return { isDone: false, askAgainMs: 1, progress: 50, providerId: 'begun' }
    await writeFile(target, film)
    return { isDone: true }
  },
  cancel: async () => {},
  close: async () => {},
}
const server = await startServer({
  env: { OPERATOR_PRIVATE_KEY, WEBHOOKS_ALLOW_PRIVATE: 'yes', MODERATOR_WALLETS: moderatorWallet.address },
  replace: { embeddedChain: chain, videoMaker },
})
const market = createShareMarket(server, chain)
let failed: string[]
beforeAll(async () => {
  failed = await takeTour(market, receiver)
}, 300_000)
afterAll(async () => {
  recorded.stop()
  await market.stop()
  await server.stop()
  await receiver.stop()
  await chain.close()
  await folder.remove()
})

const templates = await listTemplates('server/src')
// Reading every table of a copy uses the table names of its own catalogue.
const QUERY = /^\s*(select(?! count\(\*\) from pg_)|insert|update|delete|with|\()/i

describe('the statements of the source', () => {
  test('match the schema, so that every step of the tour succeeds', () => {
    expect(failed).toEqual([])
  })

  test('can each be prepared', async () => {
    const client = await server.deps.database.pool.connect()
    const refused: string[] = []
    for (const text of new Set(recorded.sent.filter((text) => QUERY.test(text))))
      await client
        .query(`prepare tried as ${text}`)
        .then(() => client.query('deallocate tried'))
        .catch((error: Error) => refused.push(`${findPlace(text)}: ${error.message}`))
    client.release()
    expect(refused).toEqual([])
  })

  test('have all been prepared: a new one needs a step in the tour', () => {
    const sent = [...new Set(recorded.sent)]
    const missed = templates.filter((template) => !sent.some((text) => contains(text, template)))
    expect(missed.map(({ place }) => place)).toEqual([])
  })
})

/** Finds the longest template that a statement was made from. */
function findPlace(statement: string): string | undefined {
  const lengthOf = ({ pieces }: Template) => pieces.join('').length
  return templates.filter((template) => contains(statement, template)).sort((a, b) => lengthOf(b) - lengthOf(a))[0]
    ?.place
}

describe('findTemplates', () => {
  test('finds templates within templates, and none in comments, strings and regular expressions', () => {
    const source = [
      '// sql`a comment`',
      "const text = 'sql`a string`' + \"it's\" + /[`'\"/]sql`/.source",
      'const half = (1 + 2) / 3 / sql`x`.length',
      'sql`one $[ready ? sql`two $[`sql $[1}`} three` : { a: 1 }} four \\\\S`',
    ]
      .join('\n')
      .replaceAll('$[', '$'.concat('{'))
    expect(findTemplates(source).map(({ pieces }) => pieces)).toEqual([
      ['x'],
      ['one ', ' four \\S'],
      ['two ', ' three'],
    ])
  })
})
