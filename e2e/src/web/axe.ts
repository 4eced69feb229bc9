import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const program = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const OPTIONS: RunOptions = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  resultTypes: ['violations'],
  // Measured for every text by findFaintTexts, light and dark.
  rules: { 'color-contrast': { enabled: false } },
}

/** The violations that axe finds on the page: the rule, its meaning, and where. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Through the debugger, because the page's content security policy blocks foreign scripts.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await program)
  const { violations } = await page.evaluate(
    (options) => (window as unknown as { axe: Axe }).axe.run(document, options),
    OPTIONS,
  )
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help}: ${target.join(' ')}`))
}

interface Axe {
  run(context: Document, options: RunOptions): Promise<AxeResults>
}
