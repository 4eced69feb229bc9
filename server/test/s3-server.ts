import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server with the part of S3 that the service uses. It requires every call to be signed. */
export interface S3Server {
  readonly url: string
  /** The objects of the bucket, by key. */
  readonly objects: Map<string, { readonly body: Buffer; readonly type: string }>
  /** Multipart uploads that have not ended. */
  readonly unfinished: Map<string, Buffer[]>
  /** The calls so far, as method, path and operation. */
  readonly calls: string[]
  /** Makes the service fail while it is true. */
  fail(when: (call: string) => boolean): void
  /** Refuses what the key may not do. */
  forbid(what: (call: string) => boolean): void
  close(): Promise<void>
}

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=test-key\/\d{8}\/test-region\/s3\/aws4_request, SignedHeaders=.*host.*, Signature=[0-9a-f]{64}$/

export async function startS3Server(bucket = 'bucket', now = () => new Date()): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map()
  const unfinished: S3Server['unfinished'] = new Map()
  const calls: string[] = []
  let isFailing = (_call: string) => false
  let isForbidden = (_call: string) => false
  let uploads = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const step = ['uploads', 'partNumber', 'uploadId'].find((name) => searchParams.has(name)) ?? ''
    const call = `${request.method} ${pathname}${step && ` ${step}`}`
    const body = await bodyOf(request)
    calls.push(call)
    const refuse = (status: number, code: string) =>
      void response.writeHead(status, { 'Content-Type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
    if (isFailing(call)) return refuse(503, 'SlowDown')
    const isSigned = searchParams.has('X-Amz-Signature')
      ? isPresigned(request, now())
      : SIGNED.test(request.headers.authorization ?? '')
    if (!isSigned || isForbidden(call)) return refuse(403, 'AccessDenied')
    if (!pathname.startsWith(`/${bucket}/`)) return refuse(404, 'NoSuchBucket')
    const key = decodeURIComponent(pathname.slice(bucket.length + 2))
    const type = String(request.headers['content-type'] ?? '')
    const uploadId = searchParams.get('uploadId') ?? ''
    const xml = (text: string) => void response.writeHead(200, { 'Content-Type': 'application/xml' }).end(text)

    if (request.method === 'POST' && step === 'uploads') {
      const id = `upload-${++uploads} ${type}`
      unfinished.set(id, [])
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    const parts = unfinished.get(uploadId)
    if (uploadId && !parts) return refuse(404, 'NoSuchUpload')
    if (request.method === 'PUT' && parts) {
      parts[Number(searchParams.get('partNumber')) - 1] = body
      return void response.writeHead(200, { ETag: `"part-${searchParams.get('partNumber')}"` }).end()
    }
    if (request.method === 'POST' && parts) {
      objects.set(key, { body: Buffer.concat(parts), type: uploadId.split(' ')[1] ?? '' })
      unfinished.delete(uploadId)
      return xml('<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>')
    }
    if (request.method === 'DELETE') {
      if (uploadId) unfinished.delete(uploadId)
      else objects.delete(key)
      return void response.writeHead(204).end()
    }
    if (request.method === 'PUT') {
      objects.set(key, { body, type })
      return void response.writeHead(200, { ETag: '"whole"' }).end()
    }
    const object = objects.get(key)
    if (!object) return refuse(404, 'NoSuchKey')
    response.setHeader('Content-Type', searchParams.get('response-content-type') ?? object.type)
    for (const name of ['cache-control', 'content-disposition']) {
      const value = searchParams.get(`response-${name}`)
      if (value !== null) response.setHeader(name, value)
    }
    sendObject(request, response, object.body)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    unfinished,
    calls,
    fail(when) {
      isFailing = when
    },
    forbid(what) {
      isForbidden = what
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

/** Whether the query of a call is signed with the key of the tests, for this method, path and host, and has not expired. */
function isPresigned({ method, url = '', headers }: IncomingMessage, now: Date): boolean {
  const [path = '', query = ''] = url.split('?')
  const given = new URLSearchParams(query)
  const [id, day = '', region = '', service = '', end = ''] = (given.get('X-Amz-Credential') ?? '').split('/')
  const date = given.get('X-Amz-Date') ?? ''
  const from = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const seconds = Number(given.get('X-Amz-Expires'))
  const isNow = now.getTime() >= from && now.getTime() < from + seconds * 1000
  const signedPart = query.split('&').filter((pair) => !pair.startsWith('X-Amz-Signature='))
  const request = `${method}\n${path}\n${signedPart.sort().join('&')}\nhost:${headers.host}\n\nhost\nUNSIGNED-PAYLOAD`
  const digest = createHash('sha256').update(request).digest('hex')
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const key = hmac(hmac(hmac(hmac('AWS4test-secret', day), region), service), end)
  const expected = hmac(key, `AWS4-HMAC-SHA256\n${date}\n${day}/${region}/${service}/${end}\n${digest}`).toString('hex')
  const isOurs = id === 'test-key' && region === 'test-region' && service === 's3' && date.startsWith(day)
  return isOurs && isNow && given.get('X-Amz-SignedHeaders') === 'host' && given.get('X-Amz-Signature') === expected
}

function sendObject(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (start === undefined) return void response.writeHead(200, { 'Content-Length': body.length }).end(body)
  const part = body.subarray(Number(start), Number(end) + 1)
  response.writeHead(206, { 'Content-Length': part.length, 'Content-Range': `bytes ${start}-${end}/${body.length}` })
  response.end(part)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
