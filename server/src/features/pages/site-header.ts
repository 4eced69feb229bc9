import { escapeHtml } from './page-head.js'

/** Where the head of the site leads, as in `web/src/ui/header.tsx`. */
const PLACES = [
  ['/market', 'Market'],
  ['/map', 'Map'],
  ['/search', 'Search'],
  ['/skills', 'Skills'],
  ['/developers', 'Developers'],
  ['/owner', 'Owners'],
] as const

/** Places that a phone has in the footer. */
const DOCUMENTS = [
  ['/how-it-works', 'How it works'],
  ['/guide', 'Guide'],
  ['/docs', 'Reference'],
] as const

/** The logo, as in `web/src/ui/mark.tsx`. */
const MARK =
  '<svg class="mark" viewBox="0 0 64 64" aria-hidden="true"><path class="mark-plumage" d="M0 44C10 41 15 34 19 26 21.500 21 22 16 25 11 28 5.500 32.500 3 37.500 3 43 3 46.500 5.500 48 9.500L47.500 18C47 22 48.500 26 48.500 30c0 10-7 17-15.500 18.500V54h8v3.500h6V63H15v-5.500h6V54h7v-5C17 49.500 7 47 0 44z"/><path class="mark-bill" d="M48 9c6.500.5 12 4 16 10.500C58 18 53 18 47.500 19z"/><circle class="mark-eye" cx="40" cy="11.500" r="2.800"/></svg>'

// Documents run no script of ours that could show a balance.
const WALLET = '<a class="header-wallet" href="/portfolio">Your wallet</a>'

/** The head of the site for pages that the server renders: the same box as the one that the web app draws. */
export function siteHeader(platformName: string, current?: (typeof DOCUMENTS)[number][0]): string {
  const places = PLACES.map(([path, name]) => `<a href="${path}">${name}</a>`)
  const documents = DOCUMENTS.map(
    ([path, name]) =>
      `<a href="${path}" class="wide-only"${path === current ? ' aria-current="true"' : ''}>${name}</a>`,
  )
  return `<header class="header"><div class="header-row"><a class="brand" href="/">${MARK}<span>${escapeHtml(platformName)}</span></a><nav class="header-places" aria-label="Main">${[...places, ...documents].join('')}</nav><div class="header-tools">${current ? WALLET : ''}</div></div></header>`
}
