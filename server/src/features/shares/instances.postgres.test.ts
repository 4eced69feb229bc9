import { expect, test } from 'vitest'
import { OPERATOR_PRIVATE_KEY, startShareMarket } from '../../../test/share-market.js'
import { startServerOn } from '../../../test/start-server.js'
import { openTransactionWaits } from './transaction-waits.js'

test('with several instances, a call waits on one for what another indexes', async () => {
  const market = await startShareMarket()
  const { DATABASE_URL = '', DATA_DIR, SERVER_SECRET = '' } = market.server.config
  const replace = { embeddedChain: market.chain }
  const other = await startServerOn({ DATABASE_URL, DATA_DIR, SERVER_SECRET, OPERATOR_PRIVATE_KEY }, { replace })
  try {
    const { alice } = await market.server.seed.agents('alice')
    await market.fund(alice)
    const request = { side: 'buy', agentId: 'alice', amount: 1, walletAddress: alice.wallet.address } as const
    const { transaction } = await market.server.client().getShareQuote(request)
    const transactionHash = await market.send(alice.wallet, transaction)
    const waits = openTransactionWaits(other.deps)
    const over = waits.wait('someone', transactionHash, 3_600_000)
    await market.follow()
    await over
    expect(await other.client().getTrade({ transactionHash, wait: 10 })).toMatchObject({
      indexed: true,
      trades: [{ action: 'bought' }],
    })
  } finally {
    await other.stop()
    await market.stop()
  }
})
