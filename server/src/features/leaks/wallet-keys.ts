import { createHash, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import type { Address } from 'viem'
import { english, HDKey, hdKeyToAccount, privateKeyToAddress } from 'viem/accounts'

// Most such texts are hashes of transactions. Finding out whose key it would be takes a fraction of a millisecond each.
const MOST_KEYS = 20
const KEY = /(?<![\da-f])(?:0x)?([\da-f]{64})(?![\da-f])/gi

// Deriving takes milliseconds; only one in sixteen sequences of such words has a checksum that fits.
const MOST_PHRASES = 4
const MOST_CHECKSUMS = 500
const SHORTEST_PHRASE = 12
const PHRASE_LENGTHS = [24, 21, 18, 15, SHORTEST_PHRASE]
/** Shorter than every key and every phrase, as most members are. */
const SHORTEST = 40
const WORDS: ReadonlyMap<string, number> = new Map(english.map((word, index) => [word, index]))
const WORD = /[a-z]+/g

/** The addresses of the private keys that texts may contain: as 64 hex digits, or as the words of a wallet. */
export async function walletsOfKeysIn(texts: readonly string[]): Promise<Address[]> {
  const long = texts.filter((text) => text.length >= SHORTEST)
  const derived = await Promise.all(phrasesIn(long).map(addressOfPhrase))
  return [...keysIn(long).flatMap(addressOfKey), ...derived]
}

function keysIn(texts: readonly string[]): string[] {
  const keys = new Set<string>()
  for (const text of texts)
    for (const [, key = ''] of text.matchAll(KEY)) if (keys.add(key.toLowerCase()).size >= MOST_KEYS) return [...keys]
  return [...keys]
}

function addressOfKey(key: string): Address[] {
  try {
    return [lower(privateKeyToAddress(`0x${key}`))]
  } catch {
    // A few numbers of this length are no keys.
    return []
  }
}

const lower = (address: Address) => address.toLowerCase() as Address

function phrasesIn(texts: readonly string[]): string[] {
  const phrases = new Set<string>()
  let checks = 0
  for (const run of texts.flatMap(runsOfWords))
    for (const length of PHRASE_LENGTHS)
      for (let start = 0; start + length <= run.length; start++) {
        if (++checks > MOST_CHECKSUMS) return [...phrases]
        const words = run.slice(start, start + length)
        if (hasChecksum(words) && phrases.add(words.join(' ')).size >= MOST_PHRASES) return [...phrases]
      }
  return [...phrases]
}

/** The sequences of at least twelve words of which wallets make their phrases, with anything but letters between them. */
function runsOfWords(text: string): string[][] {
  const runs: string[][] = [[]]
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    const run = runs.at(-1) as string[]
    if (WORDS.has(word)) run.push(word)
    else if (run.length >= SHORTEST_PHRASE) runs.push([])
    else run.length = 0
  }
  return runs.filter(({ length }) => length >= SHORTEST_PHRASE)
}

/** Whether the last bits of the words are the first of the hash of all others (BIP 39). */
function hasChecksum(words: readonly string[]): boolean {
  const bits = words.map((word) => (WORDS.get(word) ?? 0).toString(2).padStart(11, '0')).join('')
  const entropyBits = (bits.length / 33) * 32
  const entropy = Buffer.from((bits.slice(0, entropyBits).match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const first = createHash('sha256').update(entropy).digest()[0] ?? 0
  return first.toString(2).padStart(8, '0').startsWith(bits.slice(entropyBits))
}

const stretch = promisify(pbkdf2)

/** The first address of the words, as wallets derive it. The library would take a hundred times as long for the seed. */
async function addressOfPhrase(phrase: string): Promise<Address> {
  const seed = await stretch(phrase, 'mnemonic', 2048, 64, 'sha512')
  return lower(hdKeyToAccount(HDKey.fromMasterSeed(seed)).address)
}
