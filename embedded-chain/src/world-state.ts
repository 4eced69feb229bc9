import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { writeWhole } from '@rookery/host'
import type { Hex } from 'viem'
import { readLines } from './read-lines.js'

/** An account without its zero members. */
interface Account {
  balance: Hex
  nonce: number
  code: Hex
  readonly storage: Map<string, Hex>
}

/** The changes of a transaction: the changed members of accounts before and after, without zero slots. */
export interface StateDiff {
  readonly pre: Readonly<Record<string, AccountDiff>>
  readonly post: Readonly<Record<string, AccountDiff>>
}

interface AccountDiff {
  readonly balance?: Hex
  readonly nonce?: number
  readonly code?: Hex
  readonly storage?: Readonly<Record<string, Hex>>
}

/** All accounts and their storage after one block. */
export interface WorldState {
  account(address: string): { readonly balance: Hex; readonly nonce: Hex; readonly code: Hex }
  slot(address: string, key: string): Hex
  put(account: { address: string; balance: Hex; code?: Hex }): void
  apply(diff: StateDiff): void
  save(file: string): Promise<void>
}

const ZERO: Hex = `0x${'0'.repeat(64)}`

export function createWorldState(accounts = new Map<string, Account>()): WorldState {
  function touch(address: string): Account {
    const existing = accounts.get(address)
    if (existing) return existing
    const made: Account = { balance: '0x0', nonce: 0, code: '0x', storage: new Map() }
    accounts.set(address, made)
    return made
  }

  return {
    account(address) {
      const { balance = '0x0', nonce = 0, code = '0x' } = accounts.get(address.toLowerCase()) ?? {}
      return { balance, nonce: `0x${nonce.toString(16)}`, code } as const
    },
    slot: (address, key) => accounts.get(address.toLowerCase())?.storage.get(slotKey(key)) ?? ZERO,
    put({ address, balance, code = '0x' }) {
      Object.assign(touch(address.toLowerCase()), { balance, code })
    },
    apply({ pre, post }) {
      // Only an account that destroyed itself is in `pre` but not in `post`.
      for (const address of Object.keys(pre)) if (!post[address]) accounts.delete(address)
      for (const [address, after] of Object.entries(post)) {
        const account = touch(address)
        account.balance = after.balance ?? account.balance
        account.nonce = after.nonce ?? account.nonce
        account.code = after.code ?? account.code
        for (const key of Object.keys(pre[address]?.storage ?? {})) account.storage.delete(slotKey(key))
        for (const [key, value] of Object.entries(after.storage ?? {})) account.storage.set(slotKey(key), value)
      }
    },
    async save(file) {
      const lines = [...accounts].map(([address, { balance, nonce, code, storage }]) =>
        JSON.stringify([address, balance, nonce, code, ...[...storage].flat()]),
      )
      await writeWhole(file, await promisify(gzip)(lines.join('\n'), { level: 1 }))
    },
  }
}

/** Reads what `save` wrote. */
export async function readWorldState(file: string): Promise<WorldState> {
  const accounts = new Map<string, Account>()
  for (const line of await readLines(file)) {
    const [address, balance, nonce, code, ...slots] = JSON.parse(line) as [string, Hex, number, Hex, ...Hex[]]
    const storage = new Map<string, Hex>()
    for (let at = 0; at < slots.length; at += 2) storage.set(slots[at] ?? '', slots[at + 1] ?? ZERO)
    accounts.set(address, { balance, nonce, code, storage })
  }
  return createWorldState(accounts)
}

// Nodes write the same slot with and without leading zeros.
function slotKey(key: string): string {
  return `0x${key.slice(2).toLowerCase().padStart(64, '0')}`
}
