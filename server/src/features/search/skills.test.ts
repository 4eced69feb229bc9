import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddersOf } from '../../../test/cheap-embedder.js'
import { hold } from '../../../test/holdings.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { createLocalEmbedder } from '../../adapters/embeddings/local.js'
import { beginRebuild } from './models.js'
import { rebuild } from './rebuild.js'

const embedder = createLocalEmbedder()
await embedder.ready
const server = await startServer({ replace: { embedders: embeddersOf(embedder) } })
afterAll(async () => {
  await server.stop()
  await embedder.close()
})

let alice: SeededAgent
let bob: SeededAgent
const ids: Record<string, string> = {}

const ITEMS = [
  [
    'Sky Forecast',
    'Tells whether it will rain tomorrow.',
    '# Forecast\n\nAsk the service and say it in one sentence.',
    ['weather'],
  ],
  ['Ledger Keeper', 'Balances the books of a small shop.', '# Books\n\nAdd income, subtract expenses.', ['accounting']],
  ['Night Gardener', 'Plans what to sow and when to water.', '# Garden\n\nTomatoes like warm soil.', ['plants']],
  ['Odd Jobs', 'Various small things.', '# Various\n\nSet the zxq-9000 to quiet mode.', ['misc']],
] as const

beforeAll(async () => {
  ;({ alice, bob } = await server.seed.agents('alice', 'bob'))
  for (const [name, description, content, tags] of ITEMS)
    ids[name] = (await alice.client.createSkill({ name, description, content, tags: [...tags], type: 'skill' })).id
  const hidden = {
    name: 'Green Tea',
    description: 'How to brew it.',
    content: '# Secret\n\nThe submarine captain repairs violins with qwv-77 glue.',
    type: 'prompt',
    visibility: 'private',
  } as const
  ids[hidden.name] = (await alice.client.createSkill(hidden)).id
  await server.drain()
}, 60_000)

const find = async (search: string, more: object = {}, client = server.client()) =>
  (await client.listSkills({ search, ...more })).data.map(({ name }) => name)

describe('a search for items', () => {
  test('finds by the meaning of the description and of the content', async () => {
    expect((await find('do I need an umbrella'))[0]).toBe('Sky Forecast')
    expect((await find('bookkeeping for merchants'))[0]).toBe('Ledger Keeper')
    expect((await find('growing vegetables'))[0]).toBe('Night Gardener')
  })

  test('finds by words of name, description, tags and content', async () => {
    expect((await find('ledger'))[0]).toBe('Ledger Keeper')
    expect((await find('#plants'))[0]).toBe('Night Gardener')
    expect((await find('zxq-9000'))[0]).toBe('Odd Jobs')
    expect((await find('gard'))[0]).toBe('Night Gardener')
  })

  test('finds private items by their content only for viewers with access, and by their description for everyone', async () => {
    for (const q of ['qwv-77', 'submarine captain', 'someone under water mends string instruments']) {
      expect(await find(q), q).not.toContain('Green Tea')
      expect(await find(q, {}, bob.client), q).not.toContain('Green Tea')
      expect((await find(q, {}, alice.client))[0], q).toBe('Green Tea')
    }
    expect((await find('green tea'))[0]).toBe('Green Tea')
    await hold(server, bob, alice, 1)
    expect((await find('qwv-77', {}, bob.client))[0]).toBe('Green Tea')
    await hold(server, bob, alice, 0)
    expect(await find('qwv-77', {}, bob.client)).not.toContain('Green Tea')
  })

  test('applies the filters and the requested order, and pages by cursor', async () => {
    expect(await find('green tea', { type: 'skill' })).not.toContain('Green Tea')
    expect(await find('forecast', { tags: 'accounting' })).not.toContain('Sky Forecast')
    const all = await find('small shop things', { sortBy: 'newest' })
    const first = await server.client().listSkills({ search: 'small shop things', sortBy: 'newest', limit: 1 })
    const cursor = first.meta.nextCursor ?? ''
    expect(await find('small shop things', { sortBy: 'newest', limit: 1, cursor })).toEqual(all.slice(1, 2))
    const ranked = await find('small shop things')
    const best = await server.client().listSkills({ search: 'small shop things', limit: 1 })
    expect(await find('small shop things', { limit: 1, cursor: best.meta.nextCursor ?? '' })).toEqual(
      ranked.slice(1, 2),
    )
  })

  test.each(['%', "'; drop table skill; --", '🦉'.repeat(50), '\u0001x', ':* & |'])('treats %j as text', async (q) => {
    expect(Array.isArray(await find(q))).toBe(true)
  })

  test('follows a new name, a new version and a change to private', async () => {
    const id = ids['Odd Jobs'] ?? ''
    await alice.client.updateSkill({ id, name: 'Violin Tuner', description: 'Tunes string instruments.' })
    await alice.client.addSkillVersion({ id, versionNumber: '1.1.0', content: '# Strings\n\nStart with the rty-12.' })
    await server.drain()
    expect((await find('make a fiddle sound right'))[0]).toBe('Violin Tuner')
    expect(await find('zxq-9000')).not.toContain('Violin Tuner')
    expect((await find('rty-12'))[0]).toBe('Violin Tuner')
    await alice.client.updateSkill({ id, visibility: 'private' })
    expect(await find('rty-12')).not.toContain('Violin Tuner')
  })

  test('excludes revoked and deleted items, and deletes their vectors', async () => {
    const made = await alice.client.createSkill({ name: 'Short Lived', content: '# pqr-55', type: 'skill' })
    await server.drain()
    const { pool } = server.deps.database
    const vectors = async (id: string) => {
      const { rows } = await pool.query(
        `select (select count(*)::int from skill_embedding where skill_id = $1) as about,
          (select count(*)::int from skill_content_embedding where skill_id = $1) as content`,
        [id],
      )
      return rows[0]
    }
    expect(await vectors(made.id)).toEqual({ about: 1, content: 1 })
    expect(await find('pqr-55')).toEqual(['Short Lived'])
    await alice.client.revokeSkillVersion({ id: made.id, versionId: made.versions[0]?.id ?? '' })
    expect(await vectors(made.id)).toEqual({ about: 0, content: 0 })
    expect(await find('pqr-55')).toEqual([])
    const next = await alice.client.createSkill({ name: 'Shorter Lived', content: '# pqr-56', type: 'skill' })
    await server.drain()
    await alice.client.deleteSkill({ id: next.id })
    expect(await vectors(next.id)).toEqual({ about: 0, content: 0 })
    expect(await find('pqr-56')).toEqual([])
  })

  test('finds the same after a rebuild', async () => {
    const { deps, features } = server
    const model = await beginRebuild(deps, embedder)
    const serving = features.search.models.serve(model)
    if (!serving) throw new Error('the model cannot serve')
    expect(await rebuild(deps, serving, { stopping: () => false })).toBe(true)
    server.clock.advance(2_000)
    expect((await find('do I need an umbrella'))[0]).toBe('Sky Forecast')
    expect(await find('someone under water mends string instruments')).not.toContain('Green Tea')
    const { rows } = await deps.database.pool.query(
      'select collection, done from embedding_progress where model_id = $1 order by collection',
      [model.id],
    )
    expect(rows).toEqual(expect.arrayContaining([{ collection: 'skill_embedding', done: 5 }]))
  })
})
