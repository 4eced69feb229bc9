import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { spanContext } from '../../base/span-context.js'
import { readConfig } from '../../config/config.js'
import { createBatch } from '../../foundation/db/batch.js'
import { openTraces } from './open.js'
import { traced } from './traced.js'
import { inSpan, type NewSpan, type Traces } from './traces.js'

interface Sent {
  readonly name: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}

const sent: Sent[] = []
const collector = createServer(async (request, response) => {
  type Body = { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] }
  const { resourceSpans } = (await json(request)) as Body
  sent.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
  response.end('{}')
}).listen(0, '127.0.0.1')
await new Promise((resolve) => collector.once('listening', resolve))
afterAll(() => {
  delete spanContext.keep
  collector.closeAllConnections()
  collector.close()
})
const { port } = collector.address() as { port: number }

async function open(env: Record<string, string> = {}): Promise<Traces> {
  sent.splice(0)
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', ...env })
  const traces = await openTraces(config, 'instance-1', pino({ level: 'silent' }))
  if (!traces) throw new Error('There are no traces')
  onTestFinished(() => traces.close())
  return traces
}

const call = (name: string): NewSpan => ({ name, kind: 'server' })
const parent = (isSampled: boolean) => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled })
const namesSent = () => sent.map(({ name }) => name)

describe('traces', () => {
  test.each([
    ['parentbased_always_on', '1', [true, true, false]],
    ['parentbased_always_off', '1', [false, true, false]],
    ['parentbased_traceidratio', '0', [false, true, false]],
    ['parentbased_traceidratio', '1', [true, true, false]],
    ['always_on', '1', [true, true, true]],
    ['always_off', '1', [false, false, false]],
    ['traceidratio', '0', [false, false, false]],
  ])('are kept as %s with %s says: alone, below a kept one, below another', async (name, ratio, expected) => {
    const traces = await open({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio })
    const parents = [undefined, parent(true), parent(false)]
    expect(parents.map((parent) => traces.begin({ ...call('call'), parent }).isSampled)).toEqual(expected)
  })

  test.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:1', OTEL_SDK_DISABLED: 'TRUE' },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:1', OTEL_TRACES_EXPORTER: 'none' },
  ])('are off with %o', async (env) => {
    expect(await openTraces(readConfig(env), 'instance-1', pino({ level: 'silent' }))).toBeUndefined()
  })

  test('show the calls of an adapter below what makes them, and of an error its kind alone', async () => {
    const traces = await open()
    const adapter = {
      ask: async (words: string) => {
        if (words === 'fail') throw new TypeError('the words were secret')
        return words.length
      },
    }
    const shown = traced(adapter, traces, { ask: () => ({ name: 'adapter ask' }) })
    expect(traced(adapter, undefined, {})).toBe(adapter)
    expect(await shown.ask('outside of any call')).toBe(19)
    const span = traces.begin(call('GET /v1/things'))
    await span.within(async () => {
      await shown.ask('works')
      await shown.ask('fail').catch(() => {})
    })
    span.end()
    await span.within(() => shown.ask('after the end'))
    await traces.close()
    expect(namesSent()).toEqual(['adapter ask', 'adapter ask', 'GET /v1/things'])
    expect(sent.slice(0, 2).map(({ parentSpanId }) => parentSpanId)).toEqual([sent[2]?.spanId, sent[2]?.spanId])
    expect(JSON.stringify(sent)).toContain('"error.type","value":{"stringValue":"TypeError"}')
    expect(JSON.stringify(sent)).not.toMatch(/secret|works/)
  })

  test('put what a batch does below the first of its callers, not below the caller before', async () => {
    const traces = await open()
    const batch = createBatch<string, string>((requests) =>
      inSpan(
        traces,
        () => call(`set of ${requests.join()}`),
        async () => {
          await new Promise(setImmediate)
          return requests
        },
      ),
    )
    const ask = async (name: string) => {
      const span = traces.begin(call(name))
      await span.within(() => batch(name))
      span.end()
    }
    const first = ask('one')
    await new Promise(setImmediate)
    await Promise.all([first, ask('two'), ask('three')])
    await traces.close()
    const above = (name: string) => {
      const found = sent.find((span) => span.name === name)
      return sent.find(({ spanId }) => spanId === found?.parentSpanId)?.name
    }
    expect([above('set of one'), above('set of two,three')]).toEqual(['one', 'two'])
  })
})
