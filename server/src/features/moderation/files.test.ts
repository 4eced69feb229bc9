import type { Client } from '@rookery/sdk'
import sql from 'sql-template-tag'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { refused } from '../../../test/refusal.js'
import { createWallet, type SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { idAt } from '../../foundation/db/id-at.js'
import type { Row } from '../../foundation/db/row.js'
import { fileUrl } from '../media/queries.js'
import { settleFile } from '../media/settle-file.js'
import { restoreFile, withholdFile } from '../media/withhold.js'

const wallet = createWallet()
const server = await startServer({ env: { MODERATOR_WALLETS: wallet.address } })
afterAll(() => server.stop())

let moderator: Client
// Tests move the clock, and a session's token lasts for minutes.
beforeEach(async () => {
  moderator = (await server.seed.signIn(wallet)).client
})

const about = (targetType: 'file', targetId: string) => ({ targetType, targetId })

/** As if the files had been uploaded. */
const addFiles = (names: readonly string[]) =>
  server.deps.db.run(sql`
    insert into file (name, type, size, started_at, stored_at)
    select name, 'image', 1, now(), now() from unnest(${names}::text[]) name`)

test('files come back to their places, in whatever order', async () => {
  const { ann } = await server.seed.agents('ann')
  const { id } = await ann.client.createTweet({ content: 'four pictures' })
  const { db, config } = server.deps
  const names = ['a.png', 'b.png', 'c.png', 'd.png']
  const medias = names.map((name) => ({ type: 'image', url: fileUrl(config, name) }))
  await db.run(sql`update tweet set medias = ${JSON.stringify(medias)} where id = ${id}`)
  const shown = async () =>
    (await db.one<Row<'tweet', 'medias'>>(sql`select medias from tweet where id = ${id}`)).medias.map(({ url }) =>
      names.findIndex((name) => fileUrl(config, name) === url),
    )
  await addFiles(names)
  const why = { reason: 'so', decisionId: null }
  const change = async (n: number, isDown: boolean) => {
    const name = names[n] ?? ''
    await (isDown ? withholdFile(db, name, why) : restoreFile(db, name))
    await settleFile(db, server.deps, name)
  }
  const orders = [
    [0, 1, 2],
    [2, 0, 1],
    [1, 2, 0],
    [3, 1, 0, 2],
  ]
  for (const down of orders)
    for (const up of [down, [...down].reverse()]) {
      for (const n of down) await change(n, true)
      expect(await shown()).toEqual([0, 1, 2, 3].filter((n) => !down.includes(n)))
      for (const n of up) await change(n, false)
      expect(await shown()).toEqual([0, 1, 2, 3])
    }
})

test('a file that very much shows is gone at once, and step by step from what shows it', async () => {
  const { db, config } = server.deps
  const { kim } = await server.seed.agents('kim')
  const [name, other] = [`${'a'.repeat(64)}.png`, `${'b'.repeat(64)}.png`]
  await addFiles([name, other])
  const [url, otherUrl] = [fileUrl(config, name), fileUrl(config, other)]
  const medias = JSON.stringify([otherUrl, url, otherUrl].map((url) => ({ type: 'image', url })))
  const start = idAt(new Date(server.clock.now().getTime() - 7_200_000)).slice(0, 24)
  await db.run(sql`
    insert into tweet (id, agent_id, type, content, medias, created_at, updated_at)
    select (${start} || lpad(to_hex(n), 12, '0'))::uuid, ${kim.id}, 'POST', 'pictures', ${medias}, now(), now()
    from generate_series(1, 450) n`)
  await db.run(sql`
    insert into agent (id, username, name, display_name, wallet_address, subject, avatar_url, created_at, updated_at)
    select gen_random_uuid(), 'kim' || n, 'kim', 'kim', 'kim ' || n, 'kim ' || n, ${url}, now(), now()
    from generate_series(1, 250) n`)
  const count = async () => {
    const { tweets, avatars, whole } = await db.one<{ tweets: number; avatars: number; whole: number }>(sql`
      select count(*) filter (where medias @> ${JSON.stringify([{ url }])}::jsonb)::int as tweets,
        count(*) filter (where medias = ${medias}::jsonb)::int as whole,
        (select count(*)::int from agent where avatar_url = ${url}) as avatars
      from tweet where agent_id = ${kim.id}`)
    return [tweets, avatars, whole]
  }
  const served = async () => (await fetch(`${server.url}/media/${name}`)).status
  const decide = (decision: 'hide' | 'restore') =>
    moderator.createDecision({ ...about('file', name), decision, reason: 'so' })
  await decide('hide')
  expect([await served(), await count()]).toEqual([403, [250, 50, 250]])
  // A change of mind on the way leaves nothing behind.
  await decide('restore')
  await decide('hide')
  await server.drain()
  expect([await served(), await count()]).toEqual([403, [0, 0, 0]])
  await decide('restore')
  expect((await count())[0]).toBeLessThan(450)
  await server.drain()
  expect(await count()).toEqual([450, 250, 450])
  await decide('hide')
  await decide('restore')
  await server.drain()
  expect(await count()).toEqual([450, 250, 450])
  // A post that was under way with the file is committed after the first run.
  await decide('hide')
  await server.drain()
  const { id } = await kim.client.createTweet({ content: 'under way' })
  await db.run(sql`update tweet set medias = ${medias} where id = ${id}`)
  expect(await count()).toEqual([1, 0, 1])
  server.clock.advance(60_000)
  await server.drain()
  expect(await count()).toEqual([0, 0, 0])
})

test('everybody who uploaded a file that is taken down reads why and appeals, and nobody else', async () => {
  const { max, mia, moe, mel } = await server.seed.agents('max', 'mia', 'moe', 'mel')
  const name = `${'d'.repeat(64)}.png`
  await addFiles([name])
  const upload = ({ id }: SeededAgent) =>
    server.deps.db.run(sql`
      insert into upload (agent_id, file_name, created_at) values (${id}, ${name}, ${server.clock.now()})`)
  for (const agent of [max, mia, moe]) {
    await upload(agent)
    server.clock.advance(1_000)
  }
  const openCases = async () => (await moderator.listModerationCases({ targetType: 'file' })).data
  await mia.client.createReport({ ...about('file', name), reason: 'illegal' })
  const decide = (decision: 'hide' | 'restore') =>
    moderator.createDecision({ ...about('file', name), decision, reason: 'not yours' })
  const hidden = await decide('hide')
  server.clock.advance(1_000)
  await upload(mel)
  const miasOwner = (await server.seed.login('mia')).client
  for (const [agent, client] of [
    [max, max.client],
    [mia, mia.client],
    [mia, miasOwner],
    [moe, moe.client],
  ] as const) {
    const { data, meta } = await client.listModerationNotices()
    expect(data.map(({ id, agentId, decision }) => [id, agentId, decision])).toEqual([[hidden.id, agent.id, 'hide']])
    expect([data[0]?.appealEndsAt === null, data[0]?.appeal, meta.total]).toEqual([false, null, 1])
  }
  for (const { client, id } of [max, mia, moe]) {
    const [notice] = (await client.listNotifications({ limit: 1 })).data
    expect(notice?.decision).toMatchObject({ id: hidden.id, role: 'concerned', reason: 'not yours' })
    const audit = await server.deps.db.many(
      sql`select from audit_entry where agent_id = ${id} and action = 'takeDown' and target = ${name}`,
    )
    expect(audit).toHaveLength(1)
  }
  expect((await mel.client.listModerationNotices()).data).toEqual([])
  const appeal = (client: Client) => client.createAppeal({ decisionId: hidden.id, text: 'It is mine.' })
  expect(await refused(appeal(mel.client))).toBe('404 DECISION_NOT_FOUND')
  const first = await appeal(mia.client)
  expect(await refused(appeal(miasOwner))).toBe('409 APPEAL_NOT_POSSIBLE')
  const second = await appeal(max.client)
  expect([first.agentId, second.agentId]).toEqual([mia.id, max.id])
  expect((await openCases())[0]?.appeals).toEqual([first, second])
  expect((await moe.client.listModerationNotices()).data[0]).toMatchObject({ appeal: null })
  await moderator.answerAppeal({ id: first.id, outcome: 'uphold', reason: 'No.' })
  await moderator.answerAppeal({ id: second.id, outcome: 'overturn', reason: 'Indeed.' })
  for (const { client } of [max, mia, moe])
    expect((await client.listModerationNotices({ limit: 1 })).data[0]).toMatchObject({ decision: 'restore' })
  expect((await mia.client.listModerationNotices()).data[1]?.appeal).toMatchObject({ state: 'upheld' })
  expect(await openCases()).toEqual([])
})
