import type { Random } from '@rookery/tooling/random'

const PIXEL = Buffer.from('R0lGODlhAQABAIAAABAgYwAAACwAAAAAAQABAAACAkQBADs=', 'base64')

/** Contents that claim to be a picture or a video. */
const FILES: readonly Buffer[] = [
  PIXEL,
  Buffer.alloc(0),
  PIXEL.subarray(0, 12),
  Buffer.concat([PIXEL, Buffer.alloc(5_000, 0x41)]),
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42\0\0\0\0mp42isom')]),
  Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x01, 0xff, 0xff, 0xff]),
  Buffer.alloc(200_000, 0x20),
]

const NAMES = ['a.gif', '../../../a.gif', 'a\0.gif', 'ä🐦.png', 'x'.repeat(3_000), '"; name="x', 'a.html', '']

/** An object may have a member `toString` that is no function. */
const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** A multipart form; a bent one has odd files, names and ends. */
export function makeForm(
  random: Random,
  members: Readonly<Record<string, unknown>>,
  isBent: boolean,
): { type: string; content: Buffer } {
  const boundary = `----rookery${random.below(1e9)}`
  const part = (name: string, more: string, content: Buffer) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ])
  const fileName = isBent ? random.pick(NAMES) : 'a.gif'
  const field = isBent && random.chance(0.2) ? random.pick(['files', '__proto__', '', 'FILE']) : 'file'
  const file = part(field, `; filename="${fileName}"`, isBent ? random.pick(FILES) : PIXEL)
  const others = Object.entries(members)
    .filter(([name]) => name !== 'file')
    .map(([name, value]) => part(name, '', Buffer.from(textOf(value))))
  const repeated = isBent && random.chance(0.2) ? Array.from({ length: random.between(1, 30) }, () => file) : []
  const end = isBent && random.chance(0.3) ? '' : `--${boundary}--\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    content: Buffer.concat([...others, file, ...repeated, Buffer.from(end)]),
  }
}
