import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findModules, mapImports } from '../module-graph.mjs'

const root = mkdtempSync(join(tmpdir(), 'rookery-modules-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
}

const exported = (name: string) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` })
const workspaces = [
  { folder: 'app', name: '@rookery/app', exports: { '.': exported('index') } },
  { folder: 'base', name: '@rookery/base', exports: { '.': exported('index'), './part': exported('part') } },
]

describe('the files that a package needs', () => {
  test('are those its entry reaches in any workspace, with their types, and no others', () => {
    write({
      'app/dist/index.js': `import { a } from '@rookery/base/part'
export * from './own.js'
const later = () => import('./later.js')
/**
 * import { not } from '@rookery/base'
 */
`,
      'app/dist/index.d.ts': `export type * from '@rookery/base/part';\nexport declare const b: import("./types.js").B;\n`,
      'app/dist/types.d.ts': '',
      'app/dist/own.js': `import 'node:fs'\nimport { x } from '@scope/package/inside'\nimport {\n  y,\n} from "viem"\n`,
      'app/dist/later.js': '',
      'app/dist/unused.js': '',
      'base/dist/index.js': '',
      'base/dist/part.js': '',
      'base/dist/part.d.ts': '',
    })
    const { files, imports } = findModules(root, workspaces, ['app/dist/index.js'], { types: true })
    expect([...files.keys()].sort()).toEqual([
      'app/dist/index.d.ts',
      'app/dist/index.js',
      'app/dist/later.js',
      'app/dist/own.js',
      'app/dist/types.d.ts',
      'base/dist/part.d.ts',
      'base/dist/part.js',
    ])
    expect(imports).toEqual(['@scope/package', 'viem'])
    const without = findModules(root, workspaces, ['app/dist/index.js'], { types: false })
    expect([...without.files.keys()].filter((file) => file.endsWith('.d.ts'))).toEqual([])
  })

  test('are an error when a workspace does not export what is imported', () => {
    write({ 'app/dist/wrong.js': `export { a } from '@rookery/base/secret'\n` })
    expect(() => findModules(root, workspaces, ['app/dist/wrong.js'], { types: true })).toThrow(
      'app/dist/wrong.js imports @rookery/base/secret, which base/package.json does not export',
    )
  })

  test('get other imports without a change to their examples', () => {
    const text = ` * import { a } from 'b'\nimport { a } from 'b'\nexport type * from "b";\nconst c = await import('b')\n`
    expect(mapImports(text, (name) => `./${name}.js`)).toBe(
      ` * import { a } from 'b'\nimport { a } from './b.js'\nexport type * from "./b.js";\nconst c = await import('./b.js')\n`,
    )
  })
})
