import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runHere, temporaryFolder } from '../test/terminal.js'
import { reserveSpending } from './daily-spending.js'
import { parseBnb } from './mcp.js'
import { configPath } from './profiles.js'

const WALLET = '0xAbc0000000000000000000000000000000000001'

describe('the spending of a wallet', () => {
  test('is counted by wallet and day, whoever asks, and never above the limit', async () => {
    const env = { HOME: temporaryFolder() }
    const today = new Date('2026-01-01T23:59:59Z')
    const reserve = (wei: bigint, wallet = WALLET) => reserveSpending(env, wallet, { wei, mostWei: 10n, today })
    expect(await reserve(6n)).toEqual({ isWithin: true, spentWei: 0n })
    expect(await reserve(5n)).toEqual({ isWithin: false, spentWei: 6n })
    expect(await reserve(4n, WALLET.toLowerCase())).toEqual({ isWithin: true, spentWei: 6n })
    expect(await reserve(1n, WALLET.replace('1', '2'))).toEqual({ isWithin: true, spentWei: 0n })
    const tomorrow = { wei: 10n, mostWei: 10n, today: new Date('2026-01-02T00:00:00Z') }
    expect(await reserveSpending(env, WALLET, tomorrow)).toEqual({ isWithin: true, spentWei: 0n })
  })

  test('is counted once each by programs that ask at the same moment', async () => {
    const env = { HOME: temporaryFolder() }
    const asks = Array.from({ length: 8 }, () => reserveSpending(env, WALLET, { wei: 3n, mostWei: 10n }))
    expect((await Promise.all(asks)).filter(({ isWithin }) => isWithin)).toHaveLength(3)
  })

  test('is not forgotten when its file is damaged', async () => {
    const env = { HOME: temporaryFolder() }
    const path = join(dirname(configPath(env)), 'spending.json')
    await reserveSpending(env, WALLET, { wei: 10n, mostWei: 10n })
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 20))
    await expect(reserveSpending(env, WALLET, { wei: 1n, mostWei: 10n })).rejects.toThrow('spending.json')
  })
})

describe('rookery mcp', () => {
  test('takes limits in exact BNB, both or none, and only with a wallet', async () => {
    expect([parseBnb('0.1'), parseBnb('12'), parseBnb('0.000000000000000001')]).toEqual([
      10n ** 17n,
      12n * 10n ** 18n,
      1n,
    ])
    for (const text of ['', '.5', '1e3', '-1', '0.1234567890123456789', '1,5'])
      expect(() => parseBnb(text)).toThrow('BNB')
    expect((await runHere(['mcp', '--max-per-trade', '1'])).err).toContain('both limits')
    expect((await runHere(['mcp', '--max-per-trade', '1', '--max-per-day', '2'])).err).toContain('--key-file')
  })
})
