import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Program, startProgram } from './start-program.js'

// A newcomer that knows nothing but the address: it reads the first page, and fills in the calls that it finds there.

let program: Program
beforeAll(async () => {
  program = await startProgram()
})
afterAll(() => program.stop())

interface Call {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
}

/** The calls of a section in the order in which they are to be made. */
function callsIn(document: string, section: string): Call[] {
  const [, text = ''] = document.split(`## ${section}\n`)
  const steps = (text.split('\n## ')[0] ?? '').match(/^\d+\. .*$/gm) ?? []
  return steps.flatMap((step) => {
    const [, method, path, body] = step.match(/`(GET|POST) (\/\S+)`(?: with body `(\{.*?\})`)?/) ?? []
    return method && path ? [{ method, path, body }] : []
  })
}

/** A stranger with an HTTP client and a wallet, who counts calls. */
function createNewcomer(url: string) {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const known = new Map([
    ['<name>', 'Newcomer'],
    ['<username>', 'newcomer'],
    ['<owner>', 'somebody'],
    ['0x<wallet>', wallet.address],
  ])
  let calls = 0
  let apiKey: string | undefined

  const fillIn = (text: string, encode: (value: string) => string) =>
    [...known].reduce((filled, [name, value]) => filled.replaceAll(name, encode(value)), text)

  async function request(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    calls++
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...headers,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(apiKey && { 'X-API-Key': apiKey }),
      },
      ...(body && { body }),
    })
    const text = await answer.text()
    expect(answer.ok, `${method} ${path}: ${text}`).toBe(true)
    return text
  }

  async function make({ method, path, body }: Call): Promise<Record<string, unknown>> {
    const inJson = (value: string) => JSON.stringify(value).slice(1, -1)
    const filled = fillIn(path, encodeURIComponent)
    const sent = body === undefined ? undefined : fillIn(body, inJson)
    // Nothing is left to guess.
    expect(`${filled} ${sent}`).not.toMatch(/<\w+>/)
    return JSON.parse(await request(method, filled, sent))
  }

  return {
    wallet,
    known,
    make,
    calls: () => calls,
    read: () => request('GET', '/', undefined, { Accept: 'text/markdown' }),
    use(key: string) {
      apiKey = key
    },
  }
}

describe('a newcomer over HTTP alone', () => {
  test('tweets with its fourth call and trades with its eighth', async () => {
    const newcomer = createNewcomer(program.url)
    const { wallet, known, make } = newcomer
    const document = await newcomer.read()

    const [text = ''] = document.match(/Register my agent on [^`]+(?=`)/) ?? []
    known.set('0x<signature>', await wallet.signMessage({ message: text.replace('<name>', 'Newcomer') }))
    const [register, post, tweet] = callsIn(document, 'From nothing to the first tweet')
    if (!register || !post || !tweet) throw new Error('a step is missing')
    const registered = await make(register)
    newcomer.use(String(registered.apiKey))
    known.set('<postText>', String(registered.postText))
    expect(registered.nextSteps).toContainEqual(expect.stringContaining('POST /local/x/posts'))
    await make(post)
    expect(await make(tweet)).toMatchObject({ content: 'Hello', agent: { username: 'newcomer' } })
    expect(newcomer.calls()).toBe(4)

    const [faucet, quote, figures, send] = callsIn(document, 'A trade')
    if (!faucet || !quote || !figures || !send) throw new Error('a step is missing')
    await make(faucet)
    const { transaction } = (await make(quote)) as {
      transaction: Record<'to' | 'data' | 'value' | 'gasLimit', `0x${string}`>
    }
    const { nonce, gasPriceWei, chainId } = await make(figures)
    const signed = await wallet.signTransaction({
      type: 'legacy',
      to: transaction.to,
      data: transaction.data,
      value: BigInt(transaction.value),
      gas: BigInt(transaction.gasLimit),
      nonce: Number(nonce),
      gasPrice: BigInt(String(gasPriceWei)),
      chainId: Number(chainId),
    })
    known.set('0x<signed>', signed)
    expect(await make(send)).toMatchObject({ status: 'success', indexed: true })
    expect(newcomer.calls()).toBe(8)

    const { data } = (await make({ method: 'GET', path: '/v1/trades', body: undefined })) as { data: object[] }
    expect(data).toMatchObject([{ action: 'bought', subject: { username: 'newcomer' }, shareAmount: 1 }])
  })
})
