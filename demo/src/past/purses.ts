import { priceOf } from '@rookery/sdk'
import { parseEther } from 'viem'
import type { Deal } from '../market.js'

const GIFT_WEI = parseEther('10')
const GAS_WEI = parseEther('0.01')

/** What everybody has to spend, so that nobody wants to buy what it cannot pay for. */
export class Purses {
  private readonly wei = new Map<string, bigint>()

  /** Adds what the faucet gives. */
  fill(who: string): void {
    this.add(who, GIFT_WEI)
  }

  /** Whether somebody can pay for a purchase at this supply, with fees and gas. */
  canPay({ who, amount }: Pick<Deal, 'who' | 'amount'>, supply: number): boolean {
    return (this.wei.get(who) ?? 0n) >= cost(supply, amount) + GAS_WEI
  }

  /** Counts a deal that was made at this supply. */
  settle({ kind, who, amount }: Deal, supply: number): void {
    if (kind === 'buy') this.add(who, -cost(supply, amount))
    else this.add(who, (priceOf(BigInt(supply - amount), BigInt(amount)) * 9n) / 10n)
  }

  private add(who: string, wei: bigint): void {
    this.wei.set(who, (this.wei.get(who) ?? 0n) + wei)
  }
}

function cost(supply: number, amount: number): bigint {
  return (priceOf(BigInt(supply), BigInt(amount)) * 11n) / 10n
}
