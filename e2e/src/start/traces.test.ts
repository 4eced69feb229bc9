import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Program, startProgram } from '../start-program.js'
import { registerAgent, verifyAgent } from '../web/agents.js'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.js'

const BUNDLE = fileURLToPath(new URL('../../../server/dist/bundle', import.meta.url))
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const SERVER = 2
const soon = { timeout: 30_000, interval: 50 }

async function openReceiver(): Promise<OtlpReceiver> {
  const receiver = await startOtlpReceiver()
  onTestFinished(() => receiver.stop())
  return receiver
}

async function open(env: Record<string, string>) {
  const program = await startProgram({ env: { OTEL_BSP_SCHEDULE_DELAY: '100', ...env } })
  let isRunning = true
  void program.ended.then(() => {
    isRunning = false
  })
  onTestFinished(() => (isRunning ? program.kill() : undefined))
  return program
}

/** Starts a receiver of webhooks; its deliveries come with these headers. */
async function openHook(): Promise<{ url: string; received: IncomingHttpHeaders[] }> {
  const received: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    received.push(request.headers)
    request.resume().on('end', () => response.end())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/hook`, received }
}

/** Everything below a span, however deep. */
function below(spans: readonly ReceivedSpan[], { spanId }: ReceivedSpan): ReceivedSpan[] {
  return spans.filter(({ parentSpanId }) => parentSpanId === spanId).flatMap((span) => [span, ...below(spans, span)])
}

const count = (program: Program, words: string) => program.output().split(words).length - 1

describe('a service with a collector', () => {
  test('shows a call below its caller’s span, with its statements, and the jobs that it causes', async () => {
    const [collector, hook] = [await openReceiver(), await openHook()]
    const program = await open({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'X-Collector-Key=collector%20secret',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=flock,deployment.environment.name=test%2C1',
    })
    const agent = await registerAgent(program.url, { username: 'wren' })
    await verifyAgent(agent, 'wren_x')
    await agent.client.createWebhook({ url: hook.url, topics: ['tweets'] })
    const headers = {
      'X-API-Key': agent.apiKey,
      'Content-Type': 'application/json',
      'X-Request-Id': 'request-of-wren',
      Traceparent: `00-${TRACE}-${PARENT}-01`,
    }
    const body = JSON.stringify({ content: 'marzipan for everybody' })
    expect((await fetch(`${program.url}/v1/tweets`, { method: 'POST', headers, body })).status).toBe(201)
    expect((await fetch(`${program.url}/v1/agents/wren?word=xylophone`, { headers })).status).toBe(200)
    const unsampled = { ...headers, Traceparent: `00-${TRACE}-${PARENT}-00` }
    expect((await fetch(`${program.url}/v1/skill-version`, { headers: unsampled })).status).toBe(200)
    await expect.poll(() => hook.received.length, soon).toBeGreaterThan(0)
    await expect.poll(() => collector.spans.map(({ name }) => name), soon).toContain('webhook POST')
    expect(await program.stop()).toBe(0)

    const { spans } = collector
    const call = spans.find(({ name }) => name === 'POST /v1/tweets')
    expect(call).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: SERVER })
    expect(call?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/tweets',
      'http.response.status_code': 201,
      'rookery.request_id': 'request-of-wren',
      'rookery.caller': 'agent',
      'rookery.agent_id': agent.agent.id,
    })
    const statements = below(spans, call as ReceivedSpan)
    expect(statements.map(({ attributes }) => attributes['db.query.text'])).toContainEqual(
      expect.stringMatching(/^with request as materialized .*json_to_recordset\(\$\d/),
    )
    expect(new Set(statements.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]))
    const job = spans.find(({ name, links }) => name === 'job publish_tweet' && links.includes(TRACE))
    expect(job?.attributes).toMatchObject({ 'rookery.job.attempt': 1, 'rookery.job.outcome': 'done' })
    const delivery = spans.find(({ name }) => name === 'webhook POST')
    expect(delivery?.attributes).toEqual({ 'server.address': '127.0.0.1', 'http.response.status_code': 200 })
    expect(hook.received.map(({ traceparent }) => traceparent)).toContain(
      `00-${delivery?.traceId}-${delivery?.spanId}-01`,
    )
    expect(spans.map(({ name }) => name)).toContain('GET /v1/agents/:identifier')
    expect(spans.map(({ name }) => name)).not.toContain('GET /v1/skill-version')
    expect(collector.resource).toMatchObject({ 'service.name': 'flock', 'deployment.environment.name': 'test,1' })
    expect(collector.headers[0]).toMatchObject({ 'x-collector-key': 'collector secret' })

    const sent = collector.bytes().toString('latin1')
    for (const word of [
      agent.apiKey,
      agent.claimUrl.split('/').at(-1) ?? '',
      'marzipan',
      'xylophone',
      'collector secret',
      '/hook',
      'wren_x',
    ])
      expect(sent).not.toContain(word)
  })

  test('goes on while the collector is frozen or gone, says so once, and stops', async () => {
    const collector = await openReceiver()
    const program = await open({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
      OTEL_BSP_MAX_QUEUE_SIZE: '20',
      LOG_LEVEL: 'info',
    })
    const call = async () => expect((await fetch(`${program.url}/v1/agents?limit=1`)).status).toBe(200)
    const callAndCount = async (words: string) => {
      await call()
      return count(program, words)
    }
    const names = () => collector.spans.map(({ name }) => name)
    await call()
    await expect.poll(names, soon).toContain('GET /v1/agents')
    expect(program.output()).toContain(`"traceId":"${collector.spans.find(({ kind }) => kind === SERVER)?.traceId}"`)

    collector.freeze()
    await expect.poll(() => callAndCount('traces cannot be delivered'), soon).toBe(1)
    for (let n = 0; n < 50; n++) await call()
    collector.thaw()
    await expect.poll(() => callAndCount('traces are delivered again'), soon).toBe(1)
    expect(count(program, 'traces cannot be delivered')).toBe(1)

    await collector.stop()
    await expect.poll(() => callAndCount('traces cannot be delivered'), soon).toBe(2)
    for (let n = 0; n < 50; n++) await call()
    expect(await program.stop()).toBe(0)
    expect(program.output()).toContain('"stopped"')
  })

  test('sends what waits when it stops', async () => {
    const collector = await openReceiver()
    const program = await open({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '600000',
      OTEL_TRACES_SAMPLER: 'always_on',
    })
    await fetch(`${program.url}/v1/agents/nobody`, { headers: { Traceparent: `00-${TRACE}-${PARENT}-00` } })
    expect(await program.stop()).toBe(0)
    expect(collector.spans.find(({ kind, traceId }) => kind === SERVER && traceId === TRACE)?.attributes).toMatchObject(
      {
        'http.route': '/v1/agents/:identifier',
        'http.response.status_code': 404,
      },
    )
  })
})

test('a service whose collector is frozen stops in time, without what waits', async () => {
  const collector = await openReceiver()
  collector.freeze()
  const program = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  await fetch(`${program.url}/v1/config`)
  await expect.poll(() => collector.held(), soon).toBeGreaterThan(0)
  expect(await program.stop()).toBe(0)
})

test('a service without a collector loads nothing for it', () => {
  const files = readdirSync(BUNDLE).map((name) => [name, readFileSync(`${BUNDLE}/${name}`, 'utf8')] as const)
  const [apart] = files.filter(([, code]) => code.includes('BatchSpanProcessorBase')).map(([name]) => name)
  expect(apart).toMatch(/^otlp-/)
  const importers = files.filter(([, code]) => new RegExp(`from ?"./${apart}"`).test(code)).map(([name]) => name)
  expect(importers.filter((name) => !/^(getMachineId|execAsync)/.test(name))).toEqual([])
})
