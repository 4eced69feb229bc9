import type { Page } from 'playwright-core'

/** Finds elements beyond the right edge of the page, except inside scrollable elements. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const scrolls = (element: Element) => getComputedStyle(element).overflowX !== 'visible'
    const isInside = (element: Element | null): boolean =>
      element !== null && element !== document.body && (scrolls(element) || isInside(element.parentElement))
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden, .skip-link'))
      .filter((element) => element.getBoundingClientRect().right > width + 0.5 && !isInside(element.parentElement))
      .map((element) => `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}">`)
  })
}
