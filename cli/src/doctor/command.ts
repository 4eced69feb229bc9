import type { Command } from 'commander'
import type { Hex } from 'viem'
import { addCommonOptions, commonOptionsOf } from '../common-options.js'
import { type Connection, checkUrl, clientFor, resolveConnection } from '../connection.js'
import { exitCodes } from '../exit-codes.js'
import { createFetch } from '../fetch.js'
import { oneLine, plainJson } from '../plain-text.js'
import type { Terminal } from '../terminal.js'
import { addWalletOptions, openWallet, type WalletOptions, walletNameOf } from '../wallet.js'
import { addressOf, getStoredWallet } from '../wallets/store.js'
import { checkKey } from './agent.js'
import { checkBalance, checkChain } from './chain.js'
import { type Check, failedBy } from './check.js'
import { checkNode, checkStoredFiles } from './machine.js'
import { type Answered, checkAddress, checkClock, checkHealth, checkLimits, checkVersion } from './service.js'

/** Adds `doctor`, which looks for everything that could keep an agent from working, and says what to do. */
export function addDoctorCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('doctor')
    .summary('Find out why something does not work')
    .description(
      'Check the address, the key, the clock, the chain, the wallet, the limits and this machine, and say what to do. ' +
        'The exit code is that of the first check that failed; warnings alone exit with 0.',
    )
    .option('--url <url>', 'Address of the server. Default: the one in use.')
  addCommonOptions(addWalletOptions(command)).action(async () => {
    const { output, ...common } = commonOptionsOf(command)
    const options = command.opts<WalletOptions & { url?: string }>()
    const checks = await examine(terminal, { ...common, ...options, version: program.version() ?? '' })
    const format = output ?? (terminal.isInteractive ? 'table' : 'json')
    const isWell = checks.every(({ state }) => state !== 'failed')
    const shown = checks.map(({ exitCode: _, ...check }) => check)
    terminal.write(format === 'json' ? `${plainJson({ ok: isWell, checks: shown })}\n` : checks.map(lineOf).join(''))
    terminal.endWith(checks.find(({ state }) => state === 'failed')?.exitCode ?? exitCodes.ok)
  })
}

type Examined = WalletOptions & { readonly url?: string; readonly profile?: string; readonly version: string }

async function examine(terminal: Terminal, options: Examined): Promise<Check[]> {
  const checks = [checkNode(process.version), checkStoredFiles(terminal)]
  const resolved = resolve(terminal, options)
  if ('check' in resolved) return [...checks, resolved.check]
  const { connection } = resolved
  let answered: Answered | undefined
  let limited: Answered | undefined
  const reach = createFetch()
  const watching: typeof fetch = async (...given) => {
    const startedMs = Date.now()
    const response = await reach(...given)
    answered = { headers: response.headers, atMs: (startedMs + Date.now()) / 2 }
    if (response.headers.has('x-ratelimit-limit')) limited = answered
    return response
  }
  const client = clientFor(connection, 'optional', { fetch: watching, attempts: 1, timeoutMs: 10_000 })
  const { check, config } = await checkAddress(client.as({}), connection.url)
  checks.push(check)
  if (!config) return checks
  checks.push(checkVersion(options.version, config.version))
  if (answered) checks.push(checkClock(answered))
  checks.push(
    await client.getHealth().then(checkHealth, (error) => failedBy('health', error, 'Try again in a minute.')),
  )
  const { check: key, agent } = await checkKey(client, connection)
  checks.push(key)
  checks.push(checkLimits(limited))
  if (config.chain) {
    const { faucet } = config.features
    checks.push(await checkChain(config.chain, { makesBlocksOnDemand: faucet, nowMs: Date.now() }))
    const address = (await addressOfSigner(terminal, options, connection)) ?? (agent?.walletAddress as Hex | undefined)
    if (address) checks.push(await checkBalance(config.chain, address, { hasFaucet: faucet }))
  }
  return checks
}

function resolve(terminal: Terminal, { url, ...common }: Examined): { connection: Connection } | { check: Check } {
  try {
    const env = url === undefined ? terminal.env : { ...terminal.env, ROOKERY_URL: checkUrl(url) }
    return { connection: resolveConnection(env, common) }
  } catch (error) {
    return { check: failedBy('address', error, 'Which server and key to use is not known before that.') }
  }
}

/** The address of the wallet that would sign, as far as no passphrase is needed to know it. */
async function addressOfSigner(
  terminal: Terminal,
  options: Examined,
  { profile }: Connection,
): Promise<Hex | undefined> {
  try {
    const name = walletNameOf(terminal, options, profile)
    if (name !== undefined) return addressOf(getStoredWallet(terminal.env, name)) ?? undefined
    return (await openWallet(terminal, options)).address
  } catch {
    return undefined
  }
}

function lineOf({ name, state, found, todo }: Check): string {
  const line = `${state.padEnd(9)}${name.padEnd(9)}${oneLine(found)}\n`
  return todo === undefined ? line : `${line}${' '.repeat(18)}${oneLine(todo)}\n`
}
