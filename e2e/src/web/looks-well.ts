import { expect } from 'vitest'
import { findBarriers } from './axe.js'
import type { WatchedPage } from './browser.js'
import { findFaintTexts } from './contrast.js'
import { findOverflow } from './layout.js'

/** Fails unless the page is complete, readable in both themes, accessible, and free of errors. */
export async function looksWell({ page, complaints }: WatchedPage, landmark: string): Promise<void> {
  const width = page.viewportSize()?.width ?? 0
  await page.getByText(landmark).first().waitFor()
  // What the server painted has the same words until the script draws the page.
  await page.waitForFunction(() => !document.querySelector('.skeleton, .hover-card, #root:not(:has(.footer))'))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  expect(await findOverflow(page)).toEqual([])
  // Both sizes have the same colours.
  for (const colorScheme of width > 1000 ? (['light', 'dark'] as const) : []) {
    await page.emulateMedia({ colorScheme })
    expect([colorScheme, await findFaintTexts(page)]).toEqual([colorScheme, []])
  }
  // The axe rules depend neither on the width nor on the colours.
  if (width > 1000) expect(await findBarriers(page)).toEqual([])
  expect(await page.locator('h1').count()).toBe(1)
  expect(await page.title()).toMatch(/Rookery$/)
  expect(complaints.splice(0)).toEqual([])
}
