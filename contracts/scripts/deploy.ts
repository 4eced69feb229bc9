/**
 * Deploys AgentShares. README.md has the runbook.
 *
 *   DEPLOYER_PRIVATE_KEY=0x… node --import tsx scripts/deploy.ts --rpc URL --operator ADDRESS --protocol ADDRESS
 *
 *   --dry-run            show what would happen, and stop
 *   --deployer ADDRESS   for a dry run without the key
 *   --yes                do not ask for confirmation
 */
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { createPublicClient, getAddress, http, isAddress, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describeDeployment, planDeployment, sendDeployment } from './deployment.js'

const { values } = parseArgs({
  options: {
    rpc: { type: 'string' },
    operator: { type: 'string' },
    protocol: { type: 'string' },
    deployer: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
  },
})

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function main(): Promise<void> {
  if (!values.rpc) throw new Error('--rpc is missing')
  const account = accountFromEnvironment()
  const deployer = account?.address ?? address('deployer')
  const roles = { operator: address('operator'), protocolFeeDestination: address('protocol') }
  const client = createPublicClient({ transport: http(values.rpc) })

  const plan = await planDeployment(client, deployer, roles)
  console.log(describeDeployment(plan))
  if (values['dry-run']) return console.log('\nDry run: nothing was sent.')
  if (!account) throw new Error('DEPLOYER_PRIVATE_KEY is missing')
  if (!values.yes && !(await confirm(plan.chainId))) return console.log('Nothing was sent.')

  const hash = await sendDeployment(client, account, plan)
  console.log(`\ntransaction ${hash}\n\nCHAIN_ID=${plan.chainId}\nCONTRACT_ADDRESS=${plan.address}`)
}

function accountFromEnvironment() {
  const key = process.env.DEPLOYER_PRIVATE_KEY
  if (key === undefined) return undefined
  if (!isHex(key) || key.length !== 66) throw new Error('DEPLOYER_PRIVATE_KEY is not 32 bytes in hex with 0x')
  return privateKeyToAccount(key)
}

function address(option: 'operator' | 'protocol' | 'deployer') {
  const text = values[option]
  if (!text || !isAddress(text)) throw new Error(`--${option} is missing or not an address`)
  return getAddress(text)
}

async function confirm(chainId: number): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`\nType ${chainId} to deploy: `)
  terminal.close()
  return answer.trim() === `${chainId}`
}
