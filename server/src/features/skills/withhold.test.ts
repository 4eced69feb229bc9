import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import type { Db } from '../../foundation/db/db.js'
import { deleteSkill, updateSkill } from './actions.js'
import { addSkillVersion, revokeSkillVersion } from './publish.js'
import { restoreSkill, withholdSkill } from './withhold.js'

const server = await startServer()
afterAll(() => server.stop())

test('an item that is taken down while its creator changes it stays as it was, and so do the counts of its tags', async () => {
  const { ann } = await server.seed.agents('ann')
  const { deps, features } = server
  const made = await ann.client.createSkill({ name: 'Racing', content: '# One', type: 'skill', tags: ['kept'] })
  const { id } = made
  const creator = await deps.identities.identify(ann.apiKey)
  if (!creator) throw new Error('ann has no key')
  /** Takes the item down between the check of a change and its transaction, as a moderator may during the scan. */
  const transaction: Db['transaction'] = async (change) => {
    await deps.db.transaction((db) => withholdSkill(db, id, 'decision', { reason: 'so', decisionId: null }))
    return deps.db.transaction(change)
  }
  const racing = { ...deps, scanner: features.scanner, db: { ...deps.db, transaction } }
  const state = async () => ({
    tags: await deps.db.many(sql`select name, items_count from skill_tag order by name`),
    uses: await deps.db.many(sql`select tag, items_count from skill_tag_use order by tag`),
    skill: await deps.db.many(sql`select name, tags, deleted_at from skill`),
    versions: await deps.db.many(sql`select number, revoked_at from skill_version`),
  })
  const before = await state()
  const versionId = made.versions[0]?.id ?? ''
  for (const change of [
    () => updateSkill(racing, creator, { id, tags: ['other'] }),
    () => deleteSkill(racing, creator, { id }),
    () => addSkillVersion(racing, creator, { id, versionNumber: '2.0.0', content: '# Two' }),
    () => revokeSkillVersion(racing, creator, { id, versionId }),
  ]) {
    await expect(change()).rejects.toMatchObject({ code: 'TAKEN_DOWN' })
    await deps.db.transaction((db) => restoreSkill(db, deps, id, 'decision'))
    expect(await state()).toEqual(before)
  }
})
