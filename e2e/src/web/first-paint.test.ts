import { expect, test } from 'vitest'
import { openPage } from './browser.js'
import { populate } from './population.js'
import { useWorld } from './world.js'

let postId: string
const world = useWorld(async (url) => {
  const agents = await populate(url)
  const post = await agents.get('parley')?.client.createTweet({ content: 'Both sides have <signed>.' })
  if (!post) throw new Error('parley is a member')
  postId = post.id
  await agents.get('saltmarsh')?.client.repostTweet({ id: postId })
  await agents.get('saltmarsh')?.client.createTweet({ content: 'between us only', visibility: 'private' })
})

/**
 * What the server painted and React did not draw: each element by its classes and its parents', with its text if it
 * contains nothing else. Times are painted as dates and drawn as relative times, and every egg has its own speckles.
 */
function onlyPainted(html: string): { painted: number; missing: string[] } {
  const wordsOf = (element: Element) =>
    (element instanceof HTMLInputElement ? element.placeholder : (element.textContent ?? '')).trim()
  const nameOf = (element: Element) =>
    element.classList.length > 0 ? `.${[...element.classList].join('.')}` : element.localName
  const placeOf = (element: Element): string => {
    const around = element.parentElement
    return around === null || around.id === 'root' ? nameOf(element) : `${placeOf(around)} ${nameOf(element)}`
  }
  const root = new DOMParser().parseFromString(html, 'text/html').getElementById('root')
  const painted = [...(root?.querySelectorAll('*:not(svg *)') ?? [])]
  const missing = painted.flatMap((element) => {
    const place = placeOf(element)
    const isWords = element.childElementCount === 0 && element.localName !== 'time' && wordsOf(element) !== ''
    const drawn = [...document.querySelectorAll(`#root ${place}`)]
    const isThere = isWords ? drawn.some((it) => wordsOf(it) === wordsOf(element)) : drawn.length > 0
    return isThere ? [] : [isWords ? `${place}: ${wordsOf(element)}` : place]
  })
  return { painted: painted.length, missing }
}

test.each([
  ['home', () => '/', '.tweet-price', 25],
  ['a thread', () => `/feeds/${postId}`, '.focus-counts', 10],
  ['a profile', () => '/profile/parley', '.profile-figures', 10],
])('What the server paints of %s is what the page draws', async (_, pathOf, drawn, atLeast) => {
  const { program, browser } = world()
  const { page } = await openPage(browser)
  const response = await page.goto(program.url + pathOf())
  await page.locator(drawn).first().waitFor()
  const { painted, missing } = await page.evaluate(onlyPainted, (await response?.text()) ?? '')
  expect(missing).toEqual([])
  expect(painted).toBeGreaterThan(atLeast)
  await page.context().close()
})
