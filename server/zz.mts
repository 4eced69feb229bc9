import { openLedger } from '/work/main/server/dist/chain/embedded-ledger.js'
import { openEvm } from '/work/main/server/dist/chain/embedded-evm.js'
import { cp, rm } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
const to = process.argv[3]
await rm(to, { recursive: true, force: true }); await cp(process.argv[2], to, { recursive: true })
const m = JSON.parse(readFileSync(to + '/chain.json', 'utf8'))
const ledger = await openLedger(to, { operator: m.operator, accounts: [], transactions: [] })
const evm = await openEvm(ledger.beginning())
let n = 0, cpu = process.cpuUsage(), t = performance.now()
for (const e of ledger.entries) if (e.kind === 'transaction') { n++; await evm('evm_setNextBlockTimestamp', [e.timestamp]); await evm('eth_sendRawTransaction', [e.raw]) }
const u = process.cpuUsage(cpu); console.log(n, 'wall/tx', ((performance.now() - t) / n).toFixed(2), 'user', (u.user / 1e3 / n).toFixed(2), 'sys', (u.system / 1e3 / n).toFixed(2))
process.exit()
