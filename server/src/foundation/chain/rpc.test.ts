import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttpRpc, createPatientRpc, RpcError, revertData } from './rpc.js'

interface Call {
  readonly id: number
  readonly method: string
  readonly params: unknown[]
}

let node: Server | undefined
afterEach(() => {
  node?.closeAllConnections()
  node?.close()
})

/** Starts a node with the test's answers, and records what it was sent. */
async function startNode(answer: (sent: Call | Call[], response: ServerResponse) => unknown) {
  const requests: (Call | Call[])[] = []
  const started = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const sent = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[]
    requests.push(sent)
    const body = answer(sent, response)
    if (body !== undefined) response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  node = started
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  const { port } = started.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, requests }
}

const echo = ({ id, method, params }: Call) => ({ jsonrpc: '2.0', id, result: [method, ...params] })
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as RpcError,
  )

describe('JSON-RPC over HTTP', () => {
  test('returns the result of a request, or throws its error with code and data', async () => {
    const { url } = await startNode((sent) => {
      const call = sent as Call
      if (call.method === 'good') return echo(call)
      return { id: call.id, error: { code: 3, message: 'execution reverted', data: '0x12345678' } }
    })
    const rpc = createHttpRpc(url)
    expect(await rpc.request('good', [1, 'two'])).toEqual(['good', 1, 'two'])
    const error = await failure(rpc.request('bad', []))
    expect([error?.code, error?.message, error?.isTransient]).toEqual([3, 'execution reverted', false])
    expect(revertData(error)).toBe('0x12345678')
  })

  test('sends several requests as one, and restores the order of the answers', async () => {
    const { url, requests } = await startNode((sent) => (sent as Call[]).map(echo).reverse())
    const calls = Array.from({ length: 250 }, (_, index) => ({ method: 'get', params: [index] }))
    const outcomes = await createHttpRpc(url).batch(calls)
    expect(outcomes.map((outcome) => 'result' in outcome && (outcome.result as unknown[])[1])).toEqual(
      calls.map(({ params }) => params[0]),
    )
    expect(requests.map((request) => (request as Call[]).length).sort()).toEqual([100, 100, 50])
  })

  test('reports which request of a batch failed, and which was left out', async () => {
    const { url } = await startNode((sent) =>
      (sent as Call[]).flatMap((call) =>
        call.method === 'lost'
          ? []
          : call.method === 'bad'
            ? { id: call.id, error: { code: -32000, message: 'no' } }
            : echo(call),
      ),
    )
    const params: unknown[] = []
    const outcomes = await createHttpRpc(url).batch(['good', 'bad', 'lost'].map((method) => ({ method, params })))
    expect(outcomes.map((outcome) => ('error' in outcome ? outcome.error.message : 'fine'))).toEqual([
      'fine',
      'no',
      'the chain left out an answer',
    ])
  })

  test('sends requests one by one to a node that does not support batches', async () => {
    const { url, requests } = await startNode((sent) =>
      Array.isArray(sent) ? { id: null, error: { code: -32600, message: 'batches are not supported' } } : echo(sent),
    )
    const rpc = createHttpRpc(url)
    const calls = [1, 2, 3].map((index) => ({ method: 'get', params: [index] }))
    for (let round = 0; round < 2; round++)
      expect((await rpc.batch(calls)).map((outcome) => 'result' in outcome && outcome.result)).toEqual(
        [1, 2, 3].map((index) => ['get', index]),
      )
    expect(requests.filter(Array.isArray)).toHaveLength(1)
  })

  test.each([
    [429, 'slow down'],
    [503, '<html>busy</html>'],
    [200, 'not JSON at all'],
  ])('throws on an answer of status %i and %j', async (status, body) => {
    const { url } = await startNode((_, response) => {
      response.statusCode = status
      return body
    })
    expect((await failure(createHttpRpc(url).request('get', [])))?.isTransient).toBe(status !== 200)
    expect(await failure(createHttpRpc(url).batch([1, 2].map(() => ({ method: 'get', params: [] }))))).toBeInstanceOf(
      RpcError,
    )
  })

  test('does not wait forever, and reports a node that does not listen', async () => {
    const { url } = await startNode(() => undefined)
    const error = await failure(createHttpRpc(url, { timeoutMs: 50 }).request('get', []))
    expect([error?.message, error?.isTransient]).toEqual(['the chain does not answer (TimeoutError)', true])
    const nobody = await failure(createHttpRpc('http://127.0.0.1:1').request('get', []))
    expect(nobody?.isTransient).toBe(true)
  })
})

describe('a patient RPC', () => {
  const counting = (errors: RpcError[]) => {
    let calls = 0
    const request = async () => {
      const error = errors[calls++]
      if (error) throw error
      return 'done'
    }
    return { rpc: createPatientRpc({ request, batch: async () => [] }, { firstWaitMs: 1 }), calls: () => calls }
  }

  test('repeats transient failures', async () => {
    const { rpc, calls } = counting([new RpcError('busy', 429), new RpcError('limit exceeded', -32005)])
    expect(await rpc.request('get', [])).toBe('done')
    expect(calls()).toBe(3)
  })

  test('gives up after three attempts, and at once on a permanent failure', async () => {
    const away = counting(Array.from({ length: 9 }, () => new RpcError('away', undefined)))
    expect((await failure(away.rpc.request('get', [])))?.message).toBe('away')
    expect(away.calls()).toBe(3)
    const wrong = counting([new RpcError('no such method', -32601)])
    expect((await failure(wrong.rpc.request('get', [])))?.code).toBe(-32601)
    expect(wrong.calls()).toBe(1)
  })
})

describe('the data of a revert', () => {
  test.each([
    ['geth', new RpcError('execution reverted', 3, '0xabcdef01'), '0xabcdef01'],
    ['a node that nests it', new RpcError('execution reverted', -32000, { data: '0xabcdef01' }), '0xabcdef01'],
    ['a node that adds a word', new RpcError('VM execution error', -32015, 'Reverted 0xabcdef01'), '0xabcdef01'],
    ['a node that keeps it', new RpcError('execution reverted', -32000), '0x'],
    ['a node that is away', new RpcError('the chain does not answer', undefined), undefined],
    ['a wallet without money', new RpcError('insufficient funds for gas * price + value', -32000), undefined],
  ])('is found in the error of %s', (_, error, expected) => {
    expect(revertData(error)).toBe(expected)
  })
})
