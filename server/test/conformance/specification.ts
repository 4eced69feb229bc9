import { calls } from './calls.js'
import type { Section } from './line.js'
import { purpose } from './purpose.js'
import { resources } from './resources.js'
import { rest } from './rest.js'
import { states } from './states.js'

/** Every line of the specification, section by section. Where it says that something is not shown, there is no line. */
export const specification: readonly Section[] = [purpose, resources, states, ...calls, ...rest]

/** Tests by file: the file, then their names. */
function heldBy(tests: readonly string[]): string {
  const files = [...new Set(tests.map(fileOf))]
  const cells = files.flatMap((file) => [
    file,
    ...tests.filter((test) => fileOf(test) === file).map((test) => test.slice(file.length + 1)),
  ])
  return cells.map((cell) => `\`${cell}\``).join('<br>')
}

const fileOf = (test: string) => test.split(' › ')[0] ?? ''

/** The page that shows every line with the tests that hold it. */
export function conformanceDocument(): string {
  const rows = specification.flatMap(({ number, title, lines }) => [
    `## ${number} ${title}\n`,
    '| line | held by |',
    '| --- | --- |',
    ...lines.map(([line, ...tests]) => `| ${line} | ${heldBy(tests)} |`),
    '',
  ])
  const count = specification.reduce((sum, { lines }) => sum + lines.length, 0)
  return `# Conformance

Every line of the specification in our own words, ${count} of them, and the tests that hold it. Made from \`server/test/conformance\` by
\`npm run generate\`; \`server/test/conformance.test.ts\` checks that each of these tests exists under this name and that no endpoint is missing.

${rows.join('\n')}`
}
