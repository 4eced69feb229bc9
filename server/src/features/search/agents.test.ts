import { items } from '@rookery/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddersOf } from '../../../test/cheap-embedder.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { createLocalEmbedder } from '../../adapters/embeddings/local.js'

const embedder = createLocalEmbedder()
await embedder.ready
const server = await startServer({ replace: { embedders: embeddersOf(embedder) } })
afterAll(async () => {
  await server.stop()
  await embedder.close()
})

const BIOS = {
  trader: 'Watches order books and arbitrage between exchanges.',
  trader_joe: 'Grocery lists and recipes for large families.',
  gardener: 'Grows tomatoes, beans and roses; answers about compost.',
  stargazer: 'Photographs planets and distant galaxies every clear night.',
  medic: 'Explains symptoms and reads blood tests.',
  day_trader: 'Sleeps at night.',
}

let agents: Record<keyof typeof BIOS, SeededAgent>
beforeAll(async () => {
  agents = await server.seed.pending(...(Object.keys(BIOS) as (keyof typeof BIOS)[]))
  for (const [name, bio] of Object.entries(BIOS)) await agents[name as keyof typeof BIOS].client.updateBio({ bio })
  await server.drain()
}, 60_000)

const find = async (search: string, more: object = {}) =>
  (await server.client().listAgents({ search, ...more })).data.map(({ username }) => username)

describe('a search for agents', () => {
  test('ranks the exact username first, then usernames that start with it, then names that contain it', async () => {
    expect((await find('trader')).slice(0, 3)).toEqual(['trader', 'trader_joe', 'day_trader'])
    expect((await find('@TRADER')).slice(0, 3)).toEqual(['trader', 'trader_joe', 'day_trader'])
    expect((await find('trad')).slice(0, 2).sort()).toEqual(['trader', 'trader_joe'])
  })

  test('finds by the meaning and the words of a profile', async () => {
    expect((await find('someone who knows about astronomy'))[0]).toBe('stargazer')
    expect((await find('help with growing vegetables'))[0]).toBe('gardener')
    expect((await find('doctor'))[0]).toBe('medic')
    expect((await find('compost'))[0]).toBe('gardener')
  })

  test('finds by a changed bio', async () => {
    await agents.medic.client.updateBio({ bio: 'Repairs bicycles: brakes, chains and wheels.' })
    await server.drain()
    expect((await find('fix my bike'))[0]).toBe('medic')
  })

  test('finds by part of a name in any case, also after it has changed', async () => {
    const { pool } = server.deps.database
    expect(await find('ARGAZ')).toEqual(['stargazer'])
    await pool.query(`update agent set display_name = 'Nightjar Observatory' where username = 'stargazer'`)
    expect(await find('ghtjar ob')).toEqual(['stargazer'])
  })

  test('finds a display name as it was written, with characters that the words of a query lose', async () => {
    for (const [username, displayName] of [
      ['astronaut', '👩‍🚀 Vela'],
      ['fullwidth', 'Ｖｅｌａ Ｗｉｄｅ'],
      ['brand', 'Velaris™'],
      ['spaced', 'Vela  Matrix'],
    ] as const) {
      const { [username]: agent } = await server.seed.agents(username)
      await agent?.client.updateProfile({ displayName })
      for (const search of [displayName, ` ${displayName.toUpperCase()} `])
        for (const list of ['listAgents', 'listAgentSummaries'] as const)
          expect((await server.client()[list]({ search })).data[0]?.username).toBe(username)
    }
  })

  test('uses the index of names if there is one', async () => {
    const { pool, engine } = server.deps.database
    const client = await pool.connect()
    await client.query('begin')
    await client.query('set local enable_seqscan = off')
    const { rows } = await client.query(`explain select from agent_name where username like '%argaz%'`)
    await client.query('rollback')
    client.release()
    const usesIndex = JSON.stringify(rows).includes('agent_name_parts')
    expect(usesIndex).toBe(engine === 'postgres')
  })

  test('ranks exact usernames and display names before beginnings, and both before other parts', async () => {
    const { pool } = server.deps.database
    await server.seed.pending('owl_night', 'an_owl', 'zed_one')
    await pool.query(`update agent set display_name = 'OWL' where username = 'zed_one'`)
    await pool.query(`update agent set display_name = 'Owlet' where username = 'gardener'`)
    await pool.query(`update agent set followers_count = 9 where username = 'an_owl'`)
    const found = await find('owl')
    expect([found[0], found.slice(1, 3).sort(), found[3]]).toEqual(['zed_one', ['gardener', 'owl_night'], 'an_owl'])
  })

  test('lists what only the meaning finds after all names, and pages on into it', async () => {
    const all = await find('trader', { limit: 100 })
    const isNamed = (username: string) => username.includes('trader')
    const last = all.findLastIndex(isNamed)
    expect(all.slice(0, last + 1).every(isNamed)).toBe(true)
    for (const limit of [1, 2, 3, 4]) {
      const byCursor = []
      for await (const { username } of items(server.client().listAgents, { search: 'trader', limit }))
        byCursor.push(username)
      const byNumber = []
      for (let page = 1; byNumber.length < all.length; page++) byNumber.push(...(await find('trader', { limit, page })))
      expect([byCursor, byNumber]).toEqual([all, all])
    }
    const { meta } = await server.client().listAgents({ search: 'trader', limit: 1 })
    expect(meta).toMatchObject({ total: all.length })
    expect(meta.totalIsLowerBound).toBeUndefined()
  })

  test('applies the filters and the requested order', async () => {
    expect(await find('trader', { minFollowersCount: 1 })).toEqual([])
    await agents.gardener.client.getMe()
    const { pool } = server.deps.database
    await pool.query(`update agent set followers_count = 5 where username = 'day_trader'`)
    expect(await find('trader', { minFollowersCount: 1 })).toEqual(['day_trader'])
    expect((await find('trader', { sortBy: 'FOLLOWERS_COUNT' }))[0]).toBe('day_trader')
    expect(await find('trader', { sortBy: 'CREATED_AT', sortOrder: 'ASC', limit: 2 })).toEqual(['trader', 'trader_joe'])
  })

  test('pages by cursor, by rank and by the requested order', async () => {
    for (const more of [{}, { sortBy: 'CREATED_AT' as const }]) {
      const all = await find('trader', { limit: 100, ...more })
      const first = await server.client().listAgents({ search: 'trader', limit: 2, ...more })
      const cursor = first.meta.nextCursor ?? ''
      expect(await find('trader', { limit: 2, cursor, ...more })).toEqual(all.slice(2, 4))
    }
  })

  test.each(['%', '_', '\\', "'; drop table agent; --", '🦉'.repeat(100), '@@', '\u0001x'])(
    'treats %j as text',
    async (search) => {
      expect(Array.isArray(await find(search))).toBe(true)
    },
  )

  test('lists all agents if the query is empty', async () => {
    for (const search of ['', ' ', '@', '\u200b']) expect(await find(search)).toHaveLength(13)
  })
})
