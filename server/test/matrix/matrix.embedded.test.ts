import { endpointList, endpoints } from '@rookery/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callers, openWorld, type World } from './callers.js'
import { requests } from './requests.js'
import { rows } from './rows.js'
import { send } from './send.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
  // People log in and wallets trade on a chain, which takes long on a busy machine.
}, 180_000)
afterAll(() => world.market.stop())

// Ends the keys of the callers, so it comes last.
const walked = [...endpointList].sort(({ endpoint: a }, { endpoint: b }) => rank(a) - rank(b))

function rank({ replacesKey }: { readonly replacesKey?: true }): number {
  return replacesKey ? 1 : 0
}

describe('the matrix of endpoints and callers', () => {
  test('has a row for every endpoint and no other', () => {
    expect(Object.keys(rows).sort()).toEqual(Object.keys(endpoints).sort())
  })

  test.each(walked.map(({ name }) => name))('%s answers every caller as its row says', async (name) => {
    const answers: Record<string, string> = {}
    for (const caller of callers) {
      const input = { ...(await requests[name]?.(world)) }
      answers[caller] = await send(world.market.server.url, name, world.credentials[caller], input)
    }
    const row = rows[name] ?? {}
    const done = String(endpoints[name].success)
    const expected = Object.entries(row).map(([caller, outcome]) => [caller, outcome === 'done' ? done : outcome])
    expect(answers).toEqual(Object.fromEntries(expected))
  })
})
