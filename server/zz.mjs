import { startEmbeddedChain } from '/work/main/server/dist/chain/embedded-chain.js'
import { createPublicClient, http } from 'viem'
const log = { info() {}, error: console.log }
const c = await startEmbeddedChain({ dataDir: process.argv[2], port: 0, operator: '0x00000000000000000000000000000000000000aa', log, compactAfter: 1000 })
await c.ready
const client = createPublicClient({ transport: http(c.rpcUrl) })
const time = async (label, n, f) => { const all = []; for (let i = 0; i < n; i++) { const t = performance.now(); await f(); all.push(performance.now() - t) } all.sort((a, b) => a - b); console.log(label, 'p50', all[n >> 1].toFixed(2), 'p90', all[Math.floor(n * .9)].toFixed(2), 'max', all[n - 1].toFixed(2)) }
await time('blockNumber', 100, () => client.request({ method: 'eth_blockNumber' }))
await time('nonce', 50, () => client.getTransactionCount({ address: '0x00000000000000000000000000000000000000cc' }))
await time('balance', 50, () => client.getBalance({ address: '0x00000000000000000000000000000000000000cc' }))
await time('call', 50, () => client.call({ to: c.contract, data: '0x4ce7957c' }))
await time('estimate', 50, () => client.estimateGas({ account: '0x00000000000000000000000000000000000000cc', to: c.contract, data: '0x4ce7957c' }))
await time('faucet', 100, () => c.faucet('0x00000000000000000000000000000000000000bb'))
await c.close()
