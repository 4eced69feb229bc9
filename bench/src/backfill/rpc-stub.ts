import { createServer } from 'node:http'
import { eventTopics } from '@rookery/contracts'
import { createShareMarket } from './share-market.js'

// A JSON-RPC server in its own process: a chain of simulated trades. Usage: rpc-stub.ts events eventsPerBlock
const [events = 1_000_000, perBlock = 10] = process.argv.slice(2).map(Number)
const CONTRACT = '0x5a5e5000000000000000000000000000000000aa'
const GENESIS_TIME = 1_767_225_600
const market = createShareMarket(events)
const lastWithEvents = Math.ceil(events / perBlock)
const head = lastWithEvents + 64
const bloom = `0x${'f'.repeat(512)}`
const hash = (kind: string, number: number) => `0x${kind}${number.toString(16).padStart(62, '0')}`
// Spread like real hashes, so that the index of transactions is not filled in order.
const transactionHash = (event: number) =>
  `0x${(Math.imul(event + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, '0')}${event.toString(16).padStart(56, '0')}`

function block(number: number): string {
  if (number > head) return 'null'
  return `{"number":"0x${number.toString(16)}","hash":"${hash('b0', number)}","parentHash":"${hash('b0', number - 1)}","timestamp":"0x${(GENESIS_TIME + number).toString(16)}","logsBloom":"${number <= lastWithEvents ? bloom : '0x0'}","gasLimit":"0x0","gasUsed":"0x0","miner":"${CONTRACT}","stateRoot":"${hash('aa', number)}","transactionsRoot":"${hash('ab', number)}","receiptsRoot":"${hash('ac', number)}","transactions":[]}`
}

function logs(from: number, to: number): string {
  const parts: string[] = []
  for (let number = Math.max(1, from); number <= Math.min(to, lastWithEvents); number++) {
    const first = (number - 1) * perBlock
    for (let event = first; event < Math.min(events, first + perBlock); event++)
      parts.push(
        `{"address":"${CONTRACT}","topics":["${eventTopics.Trade}"],"data":"0x${market.tradeData(event)}","blockNumber":"0x${number.toString(16)}","transactionHash":"${transactionHash(event)}","transactionIndex":"0x${(event - first).toString(16)}","blockHash":"${hash('b0', number)}","logIndex":"0x${(event - first).toString(16)}","removed":false}`,
      )
  }
  return `[${parts.join(',')}]`
}

interface Call {
  id: number
  method: string
  params: [string | { fromBlock?: string; toBlock?: string; blockHash?: string }]
}

function result({ method, params: [first] }: Call): string {
  if (method === 'eth_chainId') return '"0x7a69"'
  if (method === 'eth_getCode') return '"0x60"'
  if (method === 'eth_getBlockByNumber')
    return block(first === 'latest' || first === 'finalized' ? head : Number(first))
  if (method === 'eth_getLogs' && typeof first === 'object') {
    if (first.blockHash)
      return logs(Number.parseInt(first.blockHash.slice(4), 16), Number.parseInt(first.blockHash.slice(4), 16))
    return logs(Number(first.fromBlock), Number(first.toBlock))
  }
  return 'null'
}

const answer = (call: Call) => `{"jsonrpc":"2.0","id":${call.id},"result":${result(call)}}`

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const calls: Call | Call[] = JSON.parse(Buffer.concat(chunks).toString())
    const body = Array.isArray(calls) ? `[${calls.map(answer).join(',')}]` : answer(calls)
    response.setHeader('Content-Type', 'application/json')
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  process.send?.({ url: `http://127.0.0.1:${port}`, contract: CONTRACT })
})
