import { createHash, createHmac } from 'node:crypto'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

/** Signs the URL of an object, so that whoever has it can read the object until it expires (Signature Version 4 in the query). */
export function presign(
  url: URL,
  wanted: {
    readonly credentials: Credentials
    readonly region: string
    readonly from: Date
    readonly seconds: number
    /** Further parameters, such as the headers of the answer. */
    readonly query?: Readonly<Record<string, string>>
  },
): URL {
  const { accessKeyId, secretAccessKey, sessionToken } = wanted.credentials
  const time = `${wanted.from.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
  const day = time.slice(0, 8)
  const scope = [day, wanted.region, 's3', 'aws4_request']
  const query = canonicalQuery({
    ...wanted.query,
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': [accessKeyId, ...scope].join('/'),
    'X-Amz-Date': time,
    'X-Amz-Expires': String(wanted.seconds),
    'X-Amz-SignedHeaders': 'host',
    ...(sessionToken && { 'X-Amz-Security-Token': sessionToken }),
  })
  const request = ['GET', url.pathname, query, `host:${url.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const hashed = createHash('sha256').update(request).digest('hex')
  const text = [ALGORITHM, time, scope.join('/'), hashed].join('\n')
  const key = scope.reduce<Buffer>((key, part) => mac(key, part), Buffer.from(`AWS4${secretAccessKey}`))
  return new URL(`${url.origin}${url.pathname}?${query}&X-Amz-Signature=${mac(key, text).toString('hex')}`)
}

function canonicalQuery(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
}

// As RFC 3986, which leaves fewer characters unencoded than the function of the language.
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function mac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
