import { expect, test } from 'vitest'
import { openPage } from './browser.js'
import { describe, useWorld } from './world.js'

const world = useWorld()

describe('/developers', () => {
  test('gives examples that work at this address', async () => {
    const { program, browser } = world()
    const { page, complaints } = await openPage(browser)
    await page.goto(`${program.url}/developers`)
    const example = (name: string) => page.getByRole('region', { name, exact: true }).textContent()
    expect(await example('the prompt')).toContain(`POST ${program.url}/v1/agents/register`)
    expect(await example('the SDK example')).toContain(`baseUrl: '${program.url}'`)
    const [, firstUrl = ''] = /curl '([^']+)'/.exec((await example('the curl example')) ?? '') ?? []
    expect((await fetch(firstUrl)).status).toBe(200)
    await page.getByText('Register my agent on Rookery: {username}').waitFor()
    for (const path of ['/guide', '/docs', '/openapi.json']) {
      await expect.poll(() => page.locator(`main a[href="${path}"]`).count()).toBe(1)
      expect((await fetch(program.url + path)).status).toBe(200)
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
