import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Connection, checkUrl, clientFor, resolveConnection } from '../connection.js'
import { UsageError } from '../failures.js'
import { register } from '../register.js'
import type { Terminal } from '../terminal.js'
import { publishLocally } from '../verify.js'
import type { WalletOptions } from '../wallet.js'
import { choosePassphrase, hasPassphrase } from '../wallets/passphrase.js'
import { requireFreeName, storeWallet, walletFolder } from '../wallets/store.js'

export interface JoinOptions extends WalletOptions {
  readonly new: string
  readonly url?: string
  readonly profile?: string
}

/**
 * Makes an agent from nothing: a wallet, a registration, and on the local social network its verification too. Each
 * agent has a profile of its own, so that the same command line continues with the same agent.
 */
export async function joinAs(given: Terminal, options: JoinOptions): Promise<Connection> {
  const { new: name, url, profile = slugOf(name) } = options
  const { ROOKERY_API_KEY: _, ...env } = given.env
  const terminal = { ...given, env: url === undefined ? env : { ...env, ROOKERY_URL: checkUrl(url) } }
  const known = resolveConnection(terminal.env, { profile })
  if (known.apiKey !== undefined) {
    terminal.note(`Continuing as @${known.profile?.username ?? profile} of profile ${profile}.\n`)
    return known
  }
  const { signer, walletOptions } = await walletFor(terminal, profile, options)
  const { username, claimUrl, postText } = await register(signer, known, { ...walletOptions, name })
  const connection = resolveConnection(terminal.env, { profile })
  const client = clientFor(connection, 'agent')
  const { features } = await client.getConfig()
  if (features.socialNetwork === 'local') {
    const tweetUrl = await publishLocally(client, `${username.slice(0, 24)}_owner`, claimUrl)
    await client.verifyAgent({ tweetUrl })
    terminal.note(`@${username} is registered and verified. Its profile: ${profile}.\n`)
  } else
    terminal.note(`@${username} is registered, in profile ${profile}. Its owner has to post this:\n\n${postText}\n\n`)
  return connection
}

/** A wallet that was named; otherwise a new one, encrypted where there is a passphrase, and else in a file of its own. */
async function walletFor(
  terminal: Terminal,
  name: string,
  { wallet, keyFile, ...options }: JoinOptions,
): Promise<{ signer: Terminal; walletOptions: WalletOptions }> {
  if (wallet !== undefined) return { signer: terminal, walletOptions: { ...options, wallet } }
  if (keyFile !== undefined) return { signer: terminal, walletOptions: { keyFile } }
  if (terminal.env.ROOKERY_PRIVATE_KEY || terminal.env.ROOKERY_WALLET)
    return { signer: terminal, walletOptions: options }
  const question = `New passphrase for wallet ${name} (empty for a throw-away wallet without one): `
  const typed = hasPassphrase(terminal, options) ? undefined : await terminal.ask(question, { isSecret: true })
  if (!typed && !hasPassphrase(terminal, options))
    return { signer: terminal, walletOptions: throwAwayFile(terminal, name) }
  requireFreeName(terminal.env, name)
  const passphrase = typed || (await choosePassphrase(terminal, options, name))
  if (typed && (await terminal.ask('The same again: ', { isSecret: true })) !== typed)
    throw new UsageError('The two passphrases are not the same. Nothing was stored.')
  const { generatePrivateKey } = await import('viem/accounts')
  const { address } = await storeWallet(terminal.env, name, { privateKey: generatePrivateKey(), passphrase })
  terminal.note(`New wallet ${name}, ${address}, encrypted with your passphrase.\n`)
  // It was typed or read once; nobody should have to do that again for the signature.
  return {
    signer: { ...terminal, env: { ...terminal.env, ROOKERY_PASSPHRASE: passphrase } },
    walletOptions: { wallet: name },
  }
}

function throwAwayFile(terminal: Terminal, name: string): WalletOptions {
  const folder = walletFolder(terminal.env)
  const file = join(folder, `${name}.key`)
  if (existsSync(file)) return { keyFile: file }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  terminal.note('No passphrase: this wallet is stored in clear. Keep no money in it.\n')
  return { newWallet: file }
}

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
  if (slug === '') throw new UsageError('Pass --profile: the name has no letters or digits to make one of.')
  return slug
}
