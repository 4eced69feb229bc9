import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'sk_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// 43 digits of base 62 hold 256 bits, six hold a CRC-32.
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

/** Makes a key: prefix, 256 random bits, checksum. The checksum lets a scanner tell a real key from a look-alike. */
export function makeApiKey(random: (size: number) => Buffer = randomBytes): string {
  const secret = base62(BigInt(`0x${random(32).toString('hex')}`), SECRET_LENGTH)
  return PREFIX + secret + checksum(secret)
}

/** Whether a text has the form and checksum of a key. Most wrong keys are refused without a query. */
export function isApiKey(text: string): boolean {
  if (!SHAPE.test(text)) return false
  const secret = text.slice(PREFIX.length, PREFIX.length + SECRET_LENGTH)
  return checksum(secret) === text.slice(PREFIX.length + SECRET_LENGTH)
}

/** What has the form of a key in a text; `isApiKey` tells which are. Overlapping ones count, so that no prefix hides one. */
export function keysIn(text: string): string[] {
  return text.includes(PREFIX) ? [...text.matchAll(ANYWHERE)].map(([, key = '']) => key) : []
}

/** Whether a text that others will read contains a real key. */
export function containsApiKey(text: string): boolean {
  return keysIn(text).some(isApiKey)
}

const LENGTH = SECRET_LENGTH + CHECKSUM_LENGTH
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${LENGTH}}$`)
const ANYWHERE = new RegExp(`(?=(${PREFIX}[0-9A-Za-z]{${LENGTH}}))`, 'g')

function checksum(secret: string): string {
  return base62(BigInt(crc32(secret)), CHECKSUM_LENGTH)
}

function base62(value: bigint, length: number): string {
  let digits = ''
  for (let rest = value; digits.length < length; rest /= 62n) digits = ALPHABET.charAt(Number(rest % 62n)) + digits
  return digits
}
