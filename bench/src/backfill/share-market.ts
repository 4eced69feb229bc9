import { subjectAddress, UNIT_WEI } from '@rookery/contracts'
import { createRandom } from '@rookery/tooling/random'
import { type Hex, toHex } from 'viem'

/** Simulated but consistent trades: every supply and balance follows from the one before. */
export interface ShareMarket {
  readonly events: number
  readonly subjects: readonly { readonly owner: Hex; readonly name: string; readonly subject: Hex }[]
  /** The 288 bytes of the data of one Trade log, in hex without 0x. */
  tradeData(event: number): string
  subjectOf(event: number): Hex
}

const SUBJECTS = 2_000
const WALLETS = 20_000
const FAVOURITES = 20

/** Always gives the same trades for the same number of events. Popular agents are traded more. */
export function createShareMarket(events: number): ShareMarket {
  const subjects = Array.from({ length: SUBJECTS }, (_, index) => {
    const owner = wallet(index)
    const name = `bench_${index}`
    return { owner, name, subject: subjectAddress(owner, name) }
  })
  const wallets = Array.from({ length: WALLETS }, (_, index) => word(wallet(index)))
  const subjectWords = subjects.map(({ subject }) => word(subject))
  const supply = new Int32Array(SUBJECTS)
  const balance = new Int16Array(SUBJECTS * WALLETS)
  const subjectAt = new Int16Array(events)
  const walletAt = new Int16Array(events)
  const amountAt = new Int8Array(events)
  const supplyAt = new Int32Array(events)
  const balanceAt = new Int16Array(events)
  const { below } = createRandom(1)
  for (let event = 0; event < events; event++) {
    // Busy wallets make half of the trades; each wallet has favourite agents, and some agents are favourites of many.
    const trader = below(2) === 0 ? below(200) : below(WALLETS)
    const favourite = below(FAVOURITES)
    const subject = Math.floor(((trader * 7 + favourite * 131) % SUBJECTS) * (((trader + favourite) % 10) / 10))
    const isFirst = supply[subject] === 0
    const who = isFirst ? subject : trader
    const pair = subject * WALLETS + who
    const held = (balance[pair] ?? 0) - (who === subject ? 1 : 0)
    const amount = !isFirst && held > 0 && below(2) === 0 ? -1 - below(Math.min(held, 3)) : 1 + below(3)
    supply[subject] = (supply[subject] ?? 0) + amount
    balance[pair] = (balance[pair] ?? 0) + amount
    subjectAt[event] = subject
    walletAt[event] = who
    amountAt[event] = amount
    supplyAt[event] = supply[subject] ?? 0
    balanceAt[event] = balance[pair] ?? 0
  }
  return {
    events,
    subjects,
    subjectOf: (event) => subjects[subjectAt[event] ?? 0]?.subject ?? '0x',
    tradeData(event) {
      const amount = amountAt[event] ?? 0
      const after = supplyAt[event] ?? 0
      const units = amount > 0 ? squares(after - amount, after) : squares(after, after - amount)
      const price = BigInt(units) * UNIT_WEI
      const fee = word(price / 20n)
      return (
        (wallets[walletAt[event] ?? 0] ?? '') +
        (subjectWords[subjectAt[event] ?? 0] ?? '') +
        word(amount > 0 ? 1 : 0) +
        word(Math.abs(amount)) +
        word(price) +
        fee +
        fee +
        word(after) +
        word(balanceAt[event] ?? 0)
      )
    },
  }
}

function squares(from: number, to: number): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += i * i
  return sum
}

function wallet(index: number): Hex {
  return toHex(0xbe_4c_00_00_00_00 + index, { size: 20 })
}

function word(value: Hex | number | bigint): string {
  return (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0')
}
