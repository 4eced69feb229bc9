import { expect, test } from 'vitest'
import type { NewAgent } from './agents.js'
import { openPage } from './browser.js'
import { populate } from './population.js'
import { describe, useWorld } from './world.js'

const FIRST = `# Read a gauge

1. Fetch the readings.
2. Report the **difference**.

| cm | words |
| --- | --- |
| 10 | none |

![chart](https://pictures.example.com/chart.png) [more](https://example.com) [bad](javascript:alert(1))

<img src=x onerror="document.title=1">
`
const SECOND = FIRST.replace('1. Fetch the readings.', '1. Fetch the readings.\n2. Refuse three equal ones.')

let agents: ReadonlyMap<string, NewAgent>
let slug = ''
const world = useWorld(async (url) => {
  agents = await populate(url)
  const gauge = { name: 'Read a gauge', description: 'From readings to a sentence.', tags: ['sea', 'measurement'] }
  const skill = await as('tidewatch').createSkill({ ...gauge, content: FIRST, type: 'skill' })
  slug = skill.slug
  const next = { versionNumber: '1.1.0', description: 'Notices a stuck gauge.', content: SECOND }
  await as('tidewatch').addSkillVersion({ id: skill.id, ...next })
  await as('parley').likeSkill({ id: skill.id })
  await as('parley').createSkill({
    name: 'Both sides sign',
    content: '# Ask\n\nAsk both.',
    type: 'workflow',
    tags: ['words'],
  })
  const secret = { name: 'For holders', content: 'the hidden words', type: 'prompt', visibility: 'private' } as const
  await as('parley').createSkill(secret)
})

function as(username: string) {
  const agent = agents.get(username)
  if (!agent) throw new Error(`${username} is not a member`)
  return agent.client
}

async function open(path: string) {
  const { program, browser } = world()
  const watched = await openPage(browser)
  await watched.page.goto(program.url + path)
  return watched
}

describe('/skills', () => {
  test('lists published items, and filters them by kind, tag and meaning', async () => {
    const { page, complaints } = await open('/skills')
    const names = page.locator('.skill-card h2 a')
    await page.getByText('Both sides sign').waitFor()
    expect((await names.allTextContents()).sort()).toEqual(['Both sides sign', 'For holders', 'Read a gauge'])
    await page.getByLabel('Kind').selectOption('workflow')
    await page.getByText('1 item matches').waitFor()
    await expect.poll(() => names.allTextContents()).toEqual(['Both sides sign'])
    await page.getByLabel('Kind').selectOption('all')
    await page.getByRole('complementary').getByRole('button', { name: /^sea/ }).click()
    await page.getByText('1 item matches').waitFor()
    await expect.poll(() => names.allTextContents()).toEqual(['Read a gauge'])
    await page.getByRole('button', { name: 'Remove tag: sea' }).click()
    await page.getByLabel('Search skills').fill('water level')
    await page.locator('.skill-card:first-child', { hasText: 'Read a gauge' }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

describe('/skills/:id', () => {
  test('shows the document without third-party content', async () => {
    const { program, browser } = world()
    const { page, complaints } = await openPage(browser)
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.goto(`${program.url}/skills/${slug}`)
    const document = page.locator('.markdown')
    await document.getByRole('heading', { name: 'Read a gauge', level: 2 }).waitFor()
    await document.getByRole('cell', { name: 'none' }).waitFor()
    expect(await document.locator('img').count()).toBe(0)
    await expect
      .poll(() => document.getByRole('link', { name: 'Picture: chart' }).getAttribute('rel'))
      .toContain('nofollow')
    expect(await document.getByRole('link', { name: 'bad' }).count()).toBe(0)
    expect([...hosts]).toEqual([new URL(program.url).host])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('shows versions, their scan and what changed between them', async () => {
    const { page, complaints } = await open(`/skills/${slug}`)
    await page.getByRole('tab', { name: 'Versions 2' }).click()
    await page.getByText('Notices a stuck gauge.').waitFor()
    await expect.poll(() => page.locator('.version .scan-mark').count()).toBe(2)
    await page.getByRole('link', { name: 'Changes since 1.0.0' }).click()
    await page.getByRole('region', { name: 'Changes from 1.0.0 to 1.1.0' }).waitFor()
    expect((await page.locator('.line-added').allTextContents()).join('\n')).toContain('2. Refuse three equal ones.')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('gives a prompt for an agent with a working address and the right digest', async () => {
    const { page } = await open(`/skills/${slug}`)
    const text = (await page.getByRole('region', { name: 'the text for your agent' }).textContent()) ?? ''
    const [, url = ''] = /GET (\S+)/.exec(text) ?? []
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    const bytes = await crypto.subtle.digest('SHA-256', await answer.arrayBuffer())
    expect(text).toContain(Buffer.from(bytes).toString('hex'))
    await page.context().close()
  })

  test('says who may read a private item, without its content', async () => {
    const { data } = await as('tidewatch').listSkills({ search: 'For holders' })
    const secret = data.find(({ name }) => name === 'For holders')
    const { page } = await open(`/skills/${secret?.slug}`)
    await page.getByText('A share opens it').waitFor()
    expect(await page.content()).not.toContain('the hidden words')
    await page.context().close()
  })

  test('says that an item does not exist', async () => {
    const { page } = await open('/skills/nothing-here')
    await page.getByRole('link', { name: 'Look through all skills' }).waitFor()
    await page.context().close()
  })
})
