import { afterAll, describe, expect, test, vi } from 'vitest'
import { createFakeChain } from '../../../test/fake-chain.js'
import { startServer } from '../../../test/start-server.js'
import { createApp } from '../../app.js'
import { createChain } from '../../foundation/chain/chain.js'
import { createMetrics } from '../../foundation/metrics.js'
import { openPlatform } from './open.js'

const server = await startServer()
afterAll(() => server.stop())

/** The app with its own chain and memory; counts what it asks of chain and database. */
async function openApp(stateKeptMs: number) {
  const fake = createFakeChain()
  fake.mine()
  let asked = 0
  let isDown = false
  const rpc = {
    request: (method: string, params: readonly unknown[]) => {
      asked++
      return isDown ? Promise.reject(new Error('down')) : fake.rpc.request(method, params)
    },
    batch: (...batch: Parameters<typeof fake.rpc.batch>) => {
      asked++
      return isDown ? Promise.reject(new Error('down')) : fake.rpc.batch(...batch)
    },
  }
  const chain = createChain({ id: fake.id, contract: fake.contract, rpc })
  const statements: string[] = []
  const db = new Proxy(server.deps.db, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (statement: { sql?: string }, ...rest: unknown[]) => {
        if (typeof statement?.sql === 'string') statements.push(statement.sql)
        return value.call(target, statement, ...rest)
      }
    },
  })
  const deps = { ...server.deps, db, chain, metrics: createMetrics() }
  const platform = openPlatform(deps, server.features.hub, stateKeptMs)
  const app = await createApp(deps, server.features, { platform })
  const call = async (url: string) => (await app.inject({ url, headers: { host: 'localhost' } })).statusCode
  return {
    app,
    call,
    flood: async () => {
      const urls = Array.from({ length: 120 }, (_, index) => (index % 4 === 0 ? '/metrics' : '/v1/health'))
      // A machine under load may answer 503, since health waits for nothing longer than a moment.
      for (const status of await Promise.all(urls.map(call))) expect([200, 503]).toContain(status)
    },
    asked: () => asked,
    statements: () => [...statements],
    goDown() {
      isDown = true
    },
  }
}

describe('health and metrics under a flood', () => {
  test('ask the chain and count jobs once, for all callers together', async () => {
    const { app, flood, asked, statements } = await openApp(60_000)
    await flood()
    await flood()
    expect(asked()).toBe(1)
    expect(statements().filter((text) => /from job\b/.test(text))).toHaveLength(1)
    expect(new Set(statements()).size).toBe(statements().length)
    await app.close()
  })

  test('ask a chain that fails no more often', async () => {
    const { app, flood, asked, goDown } = await openApp(60_000)
    goDown()
    await flood()
    await flood()
    expect(asked()).toBe(1)
    await app.close()
  })

  test('ask again when what they know is too old', async () => {
    const { app, call, asked } = await openApp(20)
    await call('/v1/health')
    await vi.waitFor(async () => {
      await call('/v1/health')
      expect(asked()).toBeGreaterThan(1)
    })
    await app.close()
  })
})
