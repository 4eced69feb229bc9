import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(`${ROOT}/docs/architecture.md`, 'utf8')
const FOLDERS = ['', 'server/src/']

describe('docs/architecture.md', () => {
  test('names files that exist', () => {
    const named = [...page.matchAll(/`([a-z-]+(?:\/[a-z-.]+)+\.(?:ts|mjs|json))`/g)].map(([, path = '']) => path)
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter((path) => !FOLDERS.some((folder) => existsSync(`${ROOT}/${folder}${path}`)))).toEqual([])
  })

  test.each(['features', 'foundation'])('lists every folder of %s, and no other', (floor) => {
    const list = page.match(new RegExp(`^${floor}/\\n((?: {2}.*\\n)+)`, 'm'))?.[1] ?? ''
    const listed = [...list.matchAll(/^ {2}([a-z-]+)\//gm)].map(([, name]) => name)
    const folders = readdirSync(`${ROOT}/server/src/${floor}`, { withFileTypes: true })
    expect(listed.sort()).toEqual(folders.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort())
  })

  test('lists every workspace', () => {
    const { workspaces } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as { workspaces: string[] }
    expect(workspaces.filter((name) => !page.includes(`\n${name}/ `))).toEqual([])
  })
})
