import { createHash } from 'node:crypto'
import { at } from '@rookery/contracts/test/chain'
import { openSmartWallet } from '@rookery/contracts/test/smart-wallet'
import { items, registrationText, skillVersionTypedData } from '@rookery/sdk'
import fc from 'fast-check'
import semver from 'semver'
import { type Hex, hashTypedData } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openShareChain, type ShareChain } from '../../../test/chain.js'
import { outcome, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer, type TestServer } from '../../../test/start-server.js'
import { chooseCurrent } from './versions.js'

let shareChain: ShareChain
let server: TestServer
let alice: SeededAgent
let bob: SeededAgent
beforeAll(async () => {
  shareChain = await openShareChain()
  server = await startServer({ replace: { chain: shareChain.chain }, env: { WRITES_REQUIRE: 'none' } })
  ;({ alice, bob } = await server.seed.agents('alice', 'bob'))
})
afterAll(() => server.stop())

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const publish = (versionNumber = '1.0.0', more: object = {}) =>
  alice.client.createSkill({ name: 'Item', content: `# ${versionNumber}`, type: 'skill', versionNumber, ...more })
const add = (id: string, versionNumber: string, more: object = {}) =>
  alice.client.addSkillVersion({ id, versionNumber, content: `# ${versionNumber}`, ...more })
const numbers = async (id: string) =>
  (await server.client().getSkill({ id })).versions.map(({ versionNumber }) => versionNumber)
const current = async (id: string) => (await server.client().getSkill({ id })).currentVersion

describe('versions of an item', () => {
  test('are in the order of semantic versioning, and the highest release is current', async () => {
    const { id } = await publish('1.9.0')
    await add(id, '1.10.0')
    expect(await current(id)).toBe('1.10.0')
    await add(id, '1.2.0')
    await add(id, '2.0.0-rc.1')
    await add(id, '2.0.0-beta.11')
    await add(id, '2.0.0-beta.2')
    expect(await numbers(id)).toEqual(['2.0.0-rc.1', '2.0.0-beta.11', '2.0.0-beta.2', '1.10.0', '1.9.0', '1.2.0'])
    expect(await current(id)).toBe('1.10.0')
    await add(id, '2.0.0')
    expect(await current(id)).toBe('2.0.0')
    expect((await server.client().getSkill({ id })).content).toBe('# 2.0.0')
    expect(await server.client().getSkillMarkdown({ id, v: '1.2.0' })).toMatch(/version: 1\.2\.0[\s\S]+# 1\.2\.0$/)
  })

  test('are listed page by page, highest first, also beyond a hundred', async () => {
    const { id, slug } = await publish('1.0.0', { visibility: 'private' })
    for (let minor = 1; minor <= 4; minor++) await add(id, `1.${minor}.0`)
    await server.deps.database.pool.query(
      `insert into skill_version (id, skill_id, number, content, document, digest, description, scan_status, findings, rules_version, place, is_current, created_at)
       select gen_random_uuid(), skill_id, '0.0.' || n, content, document, md5(n::text) || md5(n || 'x'), '', scan_status, findings, rules_version, n - 200, false, created_at
       from skill_version cross join generate_series(1, 110) n where skill_id = $1 and number = '1.0.0'`,
      [id],
    )
    const listed: string[] = []
    for await (const { versionNumber } of items(server.client().listSkillVersions, { id: slug, limit: 50 }))
      listed.push(versionNumber)
    expect(listed).toHaveLength(115)
    expect(listed.slice(0, 6)).toEqual(['1.4.0', '1.3.0', '1.2.0', '1.1.0', '1.0.0', '0.0.110'])
    const second = await server.client().listSkillVersions({ id, limit: 2, page: 2 })
    expect([second.meta.total, second.data.map(({ versionNumber }) => versionNumber)]).toEqual([
      115,
      ['1.2.0', '1.1.0'],
    ])
    expect(await numbers(id)).toHaveLength(100)
  })

  test('are described by /v1/skill-version with the id of the item', async () => {
    const { id, slug } = await publish('1.0.0', { description: 'one' })
    await add(id, '1.1.0', { description: 'faster' })
    await add(id, '2.0.0', { description: 'other names' })
    const info = await server.client().getSkillVersion({ skillId: slug, current: '1.0.0' })
    expect(info).toMatchObject({
      skillId: id,
      version: '2.0.0',
      latestVersion: '2.0.0',
      currentVersion: '2.0.0',
      updateAvailable: true,
      breakingChanges: true,
      changelog: '2.0.0: other names\n1.1.0: faster',
    })
    expect(info.versions?.map(({ versionNumber }) => versionNumber)).toEqual(['2.0.0', '1.1.0', '1.0.0'])
    expect(JSON.stringify(info)).not.toContain('# 2.0.0')
    await add(id, '3.0.0-beta', { description: 'not released' })
    for (const name of ['id', 'skill_id']) {
      const answer = await (await fetch(`${server.url}/v1/skill-version?${name}=${id}&current=2.0.0`)).json()
      expect(answer).toMatchObject({ latest_version: '2.0.0', updateAvailable: false, changelog: '' })
    }
    for (const skillId of ['nothing', id.replace(/.$/, (last) => (last === '0' ? '1' : '0')), '💥'])
      expect(await refused(server.client().getSkillVersion({ skillId }))).toBe('404 SKILL_NOT_FOUND')
    expect(await refused(server.client().listSkillVersions({ id: 'nothing' }))).toBe('404 SKILL_NOT_FOUND')
    expect((await server.client().getSkillVersion()).versions).toBeUndefined()
  })

  test('yield the same current version in any order', () => {
    const number = fc
      .tuple(fc.nat(3), fc.nat(3), fc.nat(12), fc.constantFrom('', '-1', '-2', '-10', '-alpha', '-alpha.1', '-beta'))
      .map(([major, minor, patch, tag]) => `${major}.${minor}.${patch}${tag}`)
    fc.assert(
      fc.property(fc.uniqueArray(number, { minLength: 1, maxLength: 12 }), (all) => {
        const chosen = chooseCurrent(all.map((number) => ({ number })))?.number ?? ''
        const releases = all.filter((one) => semver.prerelease(one) === null)
        for (const other of releases.length > 0 ? releases : all) expect(semver.gte(chosen, other)).toBe(true)
        expect(chooseCurrent([...all].reverse().map((number) => ({ number })))?.number).toBe(chosen)
      }),
    )
  })

  test('that are pre-releases are current only while there is no release', async () => {
    const { id, currentVersion } = await publish('1.0.0-alpha')
    expect(currentVersion).toBe('1.0.0-alpha')
    await add(id, '0.9.0')
    expect(await current(id)).toBe('0.9.0')
  })

  test('have unique numbers, also when many are added in parallel', async () => {
    const { id } = await publish()
    expect(await refused(add(id, '1.0.0'))).toBe('409 VERSION_EXISTS')
    // One is scanned and two wait; a fourth would be told to come later.
    const ends = await Promise.all(Array.from({ length: 3 }, () => outcome(add(id, '1.1.0'))))
    expect(ends.sort()).toEqual(['409 VERSION_EXISTS', '409 VERSION_EXISTS', 'done'])
    expect(await numbers(id)).toEqual(['1.1.0', '1.0.0'])
  })

  test('never change their bytes', async () => {
    const { id, versions } = await publish()
    const versionId = versions[0]?.id ?? ''
    const raw = await server.client().getSkillMarkdown({ id })
    const change = (more: object) => alice.client.updateSkillVersion({ id, versionId, ...more })
    expect(await refused(change({ content: '# other' }))).toBe('409 VERSION_IMMUTABLE')
    expect(await change({ content: '# 1.0.0', description: 'First' })).toMatchObject({
      description: 'First',
      digest: sha256(raw),
    })
    await alice.client.updateSkill({ id, name: 'Renamed', description: 'Described again', tags: ['x'] })
    expect(await server.client().getSkillMarkdown({ id })).toBe(raw)
    expect(await refused(alice.client.updateSkillVersion({ id, versionId: id, description: 'x' }))).toBe(
      '404 SKILL_VERSION_NOT_FOUND',
    )
  })
})

describe('verifying a copy', () => {
  test('reports whether it equals the published bytes', async () => {
    const { id, slug } = await publish()
    await add(id, '1.1.0')
    const old = sha256(await server.client().getSkillMarkdown({ id, v: '1.0.0' }))
    const verify = (more: { v?: string; digest: string }) => server.client().verifySkill({ id: slug, ...more })
    expect(await verify({ digest: old })).toMatchObject({
      id,
      versionNumber: '1.0.0',
      ok: true,
      reasons: [],
      matches: true,
      revokedAt: null,
      signature: null,
      scan: { status: 'clean' },
      currentVersion: '1.1.0',
    })
    const mismatch = await verify({ v: '1.1.0', digest: old })
    expect(mismatch).toMatchObject({ ok: false, matches: false, versionNumber: '1.1.0' })
    expect(mismatch.reasons).toEqual(['These bytes are not those of version 1.1.0.'])
    const raw = await server.client().getSkillMarkdown({ id })
    expect((await verify({ digest: sha256(`${raw} `) })).ok).toBe(false)
    expect(await refused(verify({ v: '9.9.9', digest: old }))).toBe('404 SKILL_VERSION_NOT_FOUND')
    expect(await refused(verify({ digest: 'xyz' }))).toBe('400 INVALID_INPUT')
    const unknown = server.client().verifySkill({ id: 'nothing-like-it', digest: old })
    expect(await refused(unknown)).toBe('404 SKILL_NOT_FOUND')
  })
})

describe('revoking a version', () => {
  test('removes it everywhere permanently, and the best of the others becomes current', async () => {
    const { id, versions } = await publish('1.0.0')
    const second = await add(id, '1.1.0')
    const digest = sha256(await server.client().getSkillMarkdown({ id }))
    const revoke = () => alice.client.revokeSkillVersion({ id, versionId: second.id, reason: 'Leaks keys' })
    const revoked = await revoke()
    expect(revoked).toMatchObject({ versionNumber: '1.1.0', currentVersion: '1.0.0' })
    server.clock.advance(1_000)
    expect(await revoke()).toEqual(revoked)
    expect(await numbers(id)).toEqual(['1.0.0'])
    const seen = await server.client().getSkill({ id })
    expect(seen).toMatchObject({ currentVersion: '1.0.0', content: '# 1.0.0' })
    for (const client of [server.client(), alice.client]) {
      expect(await refused(client.getSkillMarkdown({ id, v: '1.1.0' }))).toBe('403 VERSION_REVOKED')
      expect(await refused(client.downloadSkill({ id, v: '1.1.0' }))).toBe('403 VERSION_REVOKED')
    }
    expect(await server.client().verifySkill({ id, digest })).toMatchObject({
      ok: false,
      matches: true,
      reasons: ['Version 1.1.0 was revoked by its creator.'],
      revokedReason: 'Leaks keys',
      revokedAt: revoked.revokedAt,
      currentVersion: '1.0.0',
    })
    expect(await refused(add(id, '1.1.0'))).toBe('409 VERSION_EXISTS')
    const sign = alice.client.updateSkillVersion({ id, versionId: second.id, description: 'back' })
    expect(await refused(sign)).toBe('404 SKILL_VERSION_NOT_FOUND')
    await alice.client.revokeSkillVersion({ id, versionId: versions[0]?.id ?? '' })
    expect(await refused(server.client().getSkill({ id }))).toBe('404 SKILL_NOT_FOUND')
    expect(await refused(server.client().getSkillMarkdown({ id }))).toBe('403 VERSION_REVOKED')
    expect(await alice.client.getSkill({ id })).toMatchObject({ currentVersion: null, versions: [] })
    await add(id, '1.2.0')
    expect(await current(id)).toBe('1.2.0')
  })
})

describe('the signature of a version', () => {
  const typedData = (skillId: string, versionNumber: string, digest: string) =>
    skillVersionTypedData({ platformName: 'Rookery', chainId: shareChain.chain.id, skillId, versionNumber, digest })

  test('is checked and shown', async () => {
    const { id, versions } = await publish()
    const { id: versionId = '', digest = '' } = versions[0] ?? {}
    const signature = await alice.wallet.signTypedData(typedData(id, '1.0.0', digest))
    const signed = { signer: alice.walletAddress, signature }
    expect((await alice.client.updateSkillVersion({ id, versionId, signature })).signature).toEqual(signed)
    expect((await server.client().getSkill({ id })).versions[0]?.signature).toEqual(signed)
    expect((await server.client().verifySkill({ id, digest })).signature).toEqual(signed)
  })

  test('can come with the version when its bytes are computed in advance', async () => {
    const { id } = await publish()
    const first = await server.client().getSkillMarkdown({ id })
    const next = first.replaceAll('1.0.0', '1.1.0')
    const signature = await alice.wallet.signTypedData(typedData(id, '1.1.0', sha256(next)))
    const version = await add(id, '1.1.0', { signature })
    expect(version.signature?.signature).toBe(signature)
    expect(await server.client().getSkillMarkdown({ id })).toBe(next)
  })

  test('is refused when it is for other data, or by another wallet', async () => {
    const { id, versions } = await publish()
    const { id: versionId = '', digest = '' } = versions[0] ?? {}
    const sign = async (signature: Promise<Hex>) =>
      outcome(alice.client.updateSkillVersion({ id, versionId, signature: await signature }))
    const wrong = [
      alice.wallet.signTypedData(typedData(id, '1.0.1', digest)),
      alice.wallet.signTypedData(typedData(id, '1.0.0', sha256('x'))),
      alice.wallet.signTypedData(typedData(bob.id, '1.0.0', digest)),
      bob.wallet.signTypedData(typedData(id, '1.0.0', digest)),
      alice.wallet.signMessage({ message: digest }),
      Promise.resolve<Hex>('0x1234'),
    ]
    for (const signature of wrong) expect(await sign(signature)).toBe('400 INVALID_SIGNATURE')
    expect((await server.client().getSkill({ id })).versions[0]?.signature).toBe(null)
    expect(await refused(add(id, '1.1.0', { signature: '0x1234' }))).toBe('400 INVALID_SIGNATURE')
    expect(await numbers(id)).toEqual(['1.0.0'])
  })

  test.each([
    ['deployed (ERC-1271)', true],
    ['not deployed yet (ERC-6492)', false],
  ])('of a smart wallet that is %s is checked on the chain', async (_, isDeployed) => {
    const wallet = await openSmartWallet(shareChain.client, at(shareChain.evm.accounts, 5), isDeployed ? 1n : 2n)
    if (isDeployed) await wallet.deploy()
    const name = isDeployed ? 'smart_one' : 'smart_two'
    const text = registrationText('Rookery', name)
    const signText = isDeployed ? wallet.signMessage : wallet.signMessageUndeployed
    const registration = { name, walletAddress: wallet.address, signature: await signText(text) }
    const { apiKey } = await server.client().registerAgent(registration)
    const client = server.client({ apiKey })
    const { id, versions } = await client.createSkill({ name: 'Smart', content: '# x', type: 'skill' })
    const { id: versionId = '', digest = '' } = versions[0] ?? {}
    const signHash = isDeployed ? wallet.signHash : wallet.signHashUndeployed
    const signature = await signHash(hashTypedData(typedData(id, '1.0.0', digest)))
    const other = await signHash(hashTypedData(typedData(id, '1.0.1', digest)))
    expect(await refused(client.updateSkillVersion({ id, versionId, signature: other }))).toBe('400 INVALID_SIGNATURE')
    shareChain.isDown = true
    expect(await refused(client.updateSkillVersion({ id, versionId, signature }))).toBe('502 CHAIN_UNAVAILABLE')
    shareChain.isDown = false
    const signed = await client.updateSkillVersion({ id, versionId, signature })
    expect(signed.signature).toEqual({ signer: wallet.address.toLowerCase(), signature })
  })
})
