import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { sourceFiles } from './source-files.js'

const METRIC = /(?:(?:gauge|counter)\(|(?:Gauge|Counter|Histogram|Summary)\(\{\s*name:)\s*'(\w+)'/g

test('docs/operating.md lists every metric that the service has, and no other', async () => {
  const files = await sourceFiles('server/src')
  const measured = files.flatMap(({ text }) => [...text.matchAll(METRIC)].map(([, name]) => name))
  const page = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8')
  const [, section = ''] = /^### Metrics\n([\s\S]*?)^##/m.exec(page) ?? []
  const documented = [...section.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name)
  expect(measured.length).toBeGreaterThan(10)
  expect(documented.toSorted()).toEqual(measured.toSorted())
})
