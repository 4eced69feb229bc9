import type { AttackRequest } from './requests.js'

/**
 * The bytes of a request. They leave the connection open: a server that is asked to close it may do so while the rest of a
 * refused body is under way, and the answer is lost with it.
 */
export function bytesOf({ method, target, headers, body, isCut }: AttackRequest, host: string): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body ? [`Content-Length: ${body.length}`] : []),
  ]
  const sent = isCut && body ? body.subarray(0, body.length >> 1) : body
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), sent ?? Buffer.alloc(0)])
}

/** A command that repeats a request. One that curl cannot send goes through nc. */
export function commandOf(request: AttackRequest, url: string): string {
  const { method, target, headers, body, isCut } = request
  const { host, hostname, port } = new URL(url)
  const isPlain =
    !isCut && /^\/[\x21-\x7e]*$/.test(target) && headers.every(([, value]) => /^[\x20-\x7e]*$/.test(value))
  if (!isPlain) return `printf '%b' ${quote(printable(bytesOf(request, host)))} | nc -q 5 ${hostname} ${port}`
  const parts = [
    `curl -sS -i --globoff --path-as-is -X ${method}`,
    ...headers.map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(body ? [`--data-binary @<(printf '%b' ${quote(printable(body))})`] : []),
    quote(url + target),
  ]
  return parts.join(' ')
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function printable(bytes: Buffer): string {
  return [...bytes]
    .map((byte) =>
      byte === 0x5c || byte < 0x20 || byte > 0x7e
        ? `\\0${byte.toString(8).padStart(3, '0')}`
        : String.fromCharCode(byte),
    )
    .join('')
}
