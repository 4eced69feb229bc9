import { createDecipheriv, createECDH, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'

/** A browser that can be notified: what its PushManager answers, and what reached it. */
export interface TestBrowser {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
  /** The messages, decrypted as the browser does (RFC 8291). */
  readonly messages: { title: string; body: string; url: string; tag: string }[]
}

/** A push service on this machine. */
export interface PushService {
  readonly received: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }[]
  /** The status that it answers with. */
  answer: number
  subscribe(): TestBrowser
  stop(): Promise<void>
}

export async function startPushService(): Promise<PushService> {
  const received: PushService['received'] = []
  const browsers = new Map<string, (body: Buffer) => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      const body = Buffer.concat(chunks)
      received.push({ path, headers: request.headers, body })
      if (service.answer < 300) browsers.get(path)?.(body)
      response.writeHead(service.answer).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const service: PushService = {
    received,
    answer: 201,
    subscribe() {
      const path = `/send/${randomBytes(16).toString('hex')}`
      const key = createECDH('prime256v1')
      const p256dh = key.generateKeys()
      const auth = randomBytes(16)
      const messages: TestBrowser['messages'] = []
      browsers.set(path, (body) => messages.push(JSON.parse(decrypt(body, key, p256dh, auth))))
      return {
        endpoint: `http://127.0.0.1:${port}${path}`,
        keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
        messages,
      }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return service
}

/** Decrypts one record of aes128gcm (RFC 8188) with the keys of a subscription (RFC 8291). */
function decrypt(body: Buffer, key: ReturnType<typeof createECDH>, own: Buffer, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const sender = body.subarray(21, 21 + (body[20] ?? 0))
  const sealed = body.subarray(21 + sender.length)
  const shared = key.computeSecret(sender)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender])
  const secret = createHmac('sha256', createHmac('sha256', auth).update(shared).digest())
    .update(Buffer.concat([info, Buffer.from([1])]))
    .digest()
  const derive = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), bytes))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')
}
