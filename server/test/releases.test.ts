import { describe, expect, test } from 'vitest'
import { changesSince, nameEntry, readEntries } from '../scripts/changelog.js'
import { addReleased, findBroken, readReleased } from '../scripts/released-migrations.js'
import { listVersions } from '../scripts/versions.js'
import { readMigrations } from '../src/foundation/db/migrations.js'

const migrations = readMigrations()
const released = readReleased()

describe('a released migration', () => {
  test('is unchanged since its release, and new ones come after it', () => {
    expect(findBroken(released, migrations)).toEqual([])
  })

  test('is reported when it is changed, renamed or removed, or when a new one comes before it', () => {
    const list = { '0001_a.sql': { since: '0.1.0', checksum: 'a' }, '0003_c.sql': { since: '0.2.0', checksum: 'c' } }
    const file = (name: string, checksum: string) => ({ name, checksum, text: '' })
    const [a, c] = [file('0001_a.sql', 'a'), file('0003_c.sql', 'c')]
    expect(findBroken(list, [a, c, file('0004_new.sql', 'd')])).toEqual([])
    expect(findBroken(list, [a, file('0003_c.sql', 'other')])).toEqual([
      '0003_c.sql was released with 0.2.0 and then changed: restore it.',
    ])
    expect(findBroken(list, [c])).toEqual(['0001_a.sql was released with 0.1.0 and is gone: put it back.'])
    expect(findBroken(list, [a, file('0002_b.sql', 'b'), c])).toEqual([
      '0002_b.sql comes before 0003_c.sql, which is released: give it a number after.',
    ])
    expect(findBroken(list, [a, file('0005_c.sql', 'c')])).toHaveLength(1)
  })

  test('keeps the version that released it', () => {
    const [first, ...others] = migrations
    if (!first) throw new Error('there are no migrations')
    const list = addReleased({ [first.name]: { since: '0.1.0', checksum: first.checksum } }, migrations, '9.0.0')
    expect(Object.values(list).map(({ since }) => since)).toEqual(['0.1.0', ...others.map(() => '9.0.0')])
  })
})

describe('the version', () => {
  const versions = listVersions()
  const [version = ''] = Object.values(versions)

  test('is the same in all packages, in their dependencies on each other and in the lock file', () => {
    expect(Object.entries(versions).filter(([, other]) => other !== version)).toEqual([])
    expect(Object.keys(versions).length).toBeGreaterThan(30)
  })

  test('has an entry in the changelog', () => {
    const entry = readEntries().find((entry) => entry.version === version)
    expect(entry).toMatchObject({ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
    expect(entry?.text).not.toBe('')
  })
})

describe('the changelog', () => {
  const text = '# Changes\n\n## Unreleased\n\n- `colour` of a tweet\n\n## 0.1.0 (2026-01-02)\n\n- everything\n'

  test('has its newest section named by a release, and must have one', () => {
    const named = nameEntry('0.2.0', '2026-03-04', text)
    expect(readEntries(named).map(({ version, date }) => `${version} ${date}`)).toEqual([
      '0.2.0 2026-03-04',
      '0.1.0 2026-01-02',
    ])
    expect(nameEntry('0.2.0', '2026-05-06', named)).toBe(named)
    expect(() => nameEntry('0.1.0', '2026-05-06', text)).toThrow('has 0.1.0 already')
    expect(() => nameEntry('0.3.0', '2026-05-06', named)).toThrow('has to begin with "## Unreleased"')
  })

  test('lists what came after a release', () => {
    expect(changesSince('0.1.0', text)).toBe('- `colour` of a tweet')
  })

  test('begins with the unreleased section or with this version', () => {
    const [newest] = readEntries()
    expect(['Unreleased', Object.values(listVersions())[0]]).toContain(newest?.version)
  })
})
