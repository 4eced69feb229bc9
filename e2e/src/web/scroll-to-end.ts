import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Scrolls until the words at the end of a list are there: each page of it makes the document longer. */
export async function scrollToEnd(page: Page, words: string): Promise<void> {
  const end = page.getByText(words)
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 100_000)
        return end.count()
      },
      { timeout: 30_000 },
    )
    .toBe(1)
}
