import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBank, PUBLIC_BANK_KEY } from '@rookery/embedded-chain/genesis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readOrMakeBankKey } from './secrets.js'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rookery-bank-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

/** Puts the beginning of a chain there, as its bank left it. */
async function putChain(bank: string): Promise<void> {
  await mkdir(join(dataDir, 'chain'))
  await writeFile(join(dataDir, 'chain', 'chain.json'), JSON.stringify({ accounts: [{ address: bank.toLowerCase() }] }))
}

describe('the key of the embedded chain’s bank', () => {
  test('is generated for a new chain, for this account alone, and found again', async () => {
    const key = await readOrMakeBankKey(dataDir)
    expect(key).toMatch(/^0x[0-9a-f]{64}$/)
    expect(key).not.toBe(PUBLIC_BANK_KEY)
    expect((await stat(join(dataDir, 'bank-key'))).mode & 0o777).toBe(0o600)
    await putChain(createBank(key).address)
    expect(await readOrMakeBankKey(dataDir)).toBe(key)
  })

  test('stays the public one for a chain that was made with it', async () => {
    await putChain(createBank(PUBLIC_BANK_KEY).address)
    expect(await readOrMakeBankKey(dataDir)).toBe(PUBLIC_BANK_KEY)
    expect(await readFile(join(dataDir, 'bank-key'), 'utf8')).toBe(PUBLIC_BANK_KEY)
  })

  test('is not made anew for a chain that has another', async () => {
    await putChain(`0x${'ab'.repeat(20)}`)
    await expect(readOrMakeBankKey(dataDir)).rejects.toThrow(/bank-key is missing.*Restore it from a backup/)
    await expect(stat(join(dataDir, 'bank-key'))).rejects.toThrow('ENOENT')
  })

  test('is the same for two starts at the same moment', async () => {
    const keys = await Promise.all([readOrMakeBankKey(dataDir), readOrMakeBankKey(dataDir)])
    expect(keys[0]).toBe(keys[1])
  })
})
