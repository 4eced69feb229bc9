import { ChainRefusal, type Reason } from '@rookery/embedded-chain/refusal'
import { makeDataDir, startChain } from '@rookery/embedded-chain/test/market'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError } from '../../base/config-error.js'
import { explainChainRefusal } from './chain-refusal.js'

const folder = '/data/chain'
const ANEW =
  'To begin anew with this part on purpose, move /data/chain away and remove the line "chain" from /data/manifest.json.'

const reasons: [Reason, string][] = [
  [
    { is: 'damaged', folder, why: 'its journal is cut.' },
    'The embedded chain in /data/chain cannot be used: its journal is cut. It is left as it is. ' +
      `Restore /data/chain from a backup. ${ANEW}`,
  ],
  [
    { is: 'damaged', folder, why: 'ENOSPC: no space left on device' },
    'The embedded chain in /data/chain cannot be used: ENOSPC: no space left on device. Make room on the disk.',
  ],
  [
    { is: 'missing', folder, file: '/data/chain/chain.json' },
    'The embedded chain of DATA_DIR /data is missing: /data/chain/chain.json is not there. ' +
      `Restore /data/chain from a backup. ${ANEW}`,
  ],
  [
    { is: 'foreign', folder, identity: 'mine', owner: 'theirs' },
    'The embedded chain in /data/chain belongs to another installation (theirs); DATA_DIR /data is of mine. ' +
      `Restore /data/chain from a backup of this folder. ${ANEW}`,
  ],
  [
    { is: 'newer', folder, version: 2, readable: 1 },
    'The embedded chain in /data/chain was made by a newer version: its files are of version 2, and this one reads ' +
      'version 1. Install that version, or restore a backup from before the upgrade.',
  ],
  [
    { is: 'other operator', folder, operator: '0xaa' },
    'OPERATOR_PRIVATE_KEY is not the one the embedded chain in /data/chain was made with (0xaa). Set that one, or ' +
      'choose another DATA_DIR.',
  ],
  [
    { is: 'other bank', folder, bank: '0xbb' },
    'bank-key in /data is not the key the embedded chain was made with (0xbb). Restore both from the same backup.',
  ],
  [
    { is: 'folder in use', folder },
    'DATA_DIR /data/chain is in use by another process. Stop it or choose another folder.',
  ],
  [
    { is: 'port in use', port: 8545, code: 'EADDRINUSE' },
    'CHAIN_PORT 8545 cannot be used (EADDRINUSE). Choose another; 0 takes any free one.',
  ],
]

test.each(reasons)('a chain that is refused as $is is explained in one line', (reason, message) => {
  const error = explainChainRefusal(new ChainRefusal(reason))
  expect(error).toBeInstanceOf(ConfigError)
  expect(error.message).toBe(message)
})

describe('a chain that is refused', () => {
  let used: Awaited<ReturnType<typeof makeDataDir>>
  beforeAll(async () => {
    used = await makeDataDir()
    await (await startChain(used.dataDir, { identity: 'mine' })).close()
  })
  afterAll(() => used.remove())

  test('fails with the explanation', async () => {
    const starting = startChain(used.dataDir, { identity: 'other', explain: explainChainRefusal })
    await expect(starting).rejects.toThrow(ConfigError)
    await expect(starting).rejects.toThrow('belongs to another installation (mine)')
  })
})
