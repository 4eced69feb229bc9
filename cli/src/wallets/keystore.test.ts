import { describe, expect, test } from 'vitest'
import { decryptKey, encryptKey, parseKeystore, type StoredWallet } from './keystore.js'

// The two test vectors of the Web3 Secret Storage definition, which every wallet that reads the format is held against.
const secret = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const withScrypt = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 262144,
      r: 1,
      p: 8,
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
} as const
const withPbkdf2 = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
} as const

const light = { n: 2 ** 10, r: 8, p: 1 }
const address = '0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b'

describe('a keystore', () => {
  test.each([withScrypt, withPbkdf2])('of another wallet opens with its passphrase: $crypto.kdf', async (vector) => {
    const keystore = parseKeystore(JSON.stringify(vector)) as StoredWallet
    expect(await decryptKey(keystore, 'testpassword')).toBe(secret)
  })

  test('opens again with its passphrase and with no other', async () => {
    const stored = await encryptKey(secret, 'correct horse', { address, cost: light })
    const read = parseKeystore(JSON.stringify(stored)) as StoredWallet
    expect(await decryptKey(read, 'correct horse')).toBe(secret)
    expect(await decryptKey(read, 'correct house')).toBeUndefined()
  })

  test('shows its address and nothing of its key', async () => {
    const stored = await encryptKey(secret, 'correct horse', { address, cost: light })
    expect(stored).toMatchObject({ version: 3, address: address.slice(2).toLowerCase(), crypto: { kdf: 'scrypt' } })
    expect(JSON.stringify(stored)).not.toContain(secret.slice(2))
    const again = await encryptKey(secret, 'correct horse', { address, cost: light })
    expect(again.crypto.ciphertext).not.toBe(stored.crypto.ciphertext)
  })

  test('that was changed does not open', async () => {
    const { crypto, ...rest } = await encryptKey(secret, 'correct horse', { address, cost: light })
    const flipped = crypto.ciphertext.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
    expect(await decryptKey({ ...rest, crypto: { ...crypto, ciphertext: flipped } }, 'correct horse')).toBeUndefined()
  })

  test('that asks for all the memory of the machine is refused', async () => {
    const kdfparams = { ...withScrypt.crypto.kdfparams, n: 2 ** 30 }
    const greedy = { ...withScrypt, crypto: { ...withScrypt.crypto, kdfparams } }
    await expect(decryptKey(greedy, 'testpassword')).rejects.toThrow('too much memory')
  })

  test.each(['{}', '[]', 'nonsense', '{"version":1,"crypto":{}}', '{"version":3,"crypto":{"cipher":"aes-128-cbc"}}'])(
    'is told from other files: %s',
    (text) => expect(parseKeystore(text)).toBeUndefined(),
  )
})
