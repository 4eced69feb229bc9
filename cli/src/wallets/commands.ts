import type { Command } from 'commander'
import type { Hex } from 'viem'
import { addCommonOptions, commonOptionsOf } from '../common-options.js'
import { UsageError } from '../failures.js'
import { show } from '../output.js'
import type { Terminal } from '../terminal.js'
import { readTextFile } from '../text-file.js'
import { decryptKey, parseKeystore } from './keystore.js'
import { addPassphraseOptions, choosePassphrase, type PassphraseOptions, readPassphrase } from './passphrase.js'
import {
  addressOf,
  getStoredWallet,
  listWallets,
  removeWallet,
  requireFreeName,
  storeWallet,
  unlockWallet,
  walletPath,
} from './store.js'

/** Adds `wallet` and what is done with stored wallets: new, import, list, address, export, remove. */
export function addWalletCommands(program: Command, terminal: Terminal): void {
  const wallet = program.command('wallet').description('Keep wallets, each encrypted with a passphrase')
  const named = (name: string, description: string) =>
    addCommonOptions(wallet.command(name).description(description)).argument('<name>', 'Name of the wallet.')

  const create = addPassphraseOptions(named('new', 'Make a wallet'))
  create.action(async (name: string) => {
    requireFreeName(terminal.env, name)
    const { generatePrivateKey } = await import('viem/accounts')
    const passphrase = await choosePassphrase(terminal, create.opts<PassphraseOptions>(), name)
    await store(terminal, create, name, { privateKey: generatePrivateKey(), passphrase })
    terminal.note('Keep the passphrase, and a copy of the file: nobody can restore either of them.\n')
  })

  const bring = addPassphraseOptions(named('import', 'Store a private key, or a keystore file of another wallet'))
  bring.argument('<file>', 'File with the key or the keystore; - reads standard input.')
  bring.action(async (name: string, file: string) => {
    const options = bring.opts<PassphraseOptions>()
    if (file === '-' && options.passphraseStdin)
      throw new UsageError('Standard input cannot be both the key and the passphrase. Use --passphrase-file.')
    const text = file === '-' ? await terminal.readInput() : readTextFile(file)
    requireFreeName(terminal.env, name)
    await store(terminal, bring, name, await keyIn(terminal, text, { file, name, ...options }))
  })

  const list = addCommonOptions(wallet.command('list').description('List the stored wallets'))
  list.action(() => show(terminal, listWallets(terminal.env), commonOptionsOf(list).output))

  const address = named('address', 'Print the address of a stored wallet; needs no passphrase')
  address.action((name: string) => {
    const { output } = commonOptionsOf(address)
    const found = addressOf(getStoredWallet(terminal.env, name))
    if (found === null) throw new UsageError(`${walletPath(terminal.env, name)} does not say its address.`)
    show(terminal, output === 'json' ? { address: found } : `${found}\n`, output)
  })

  const give = addPassphraseOptions(named('export', 'Print a stored wallet as an encrypted keystore'))
  give.option('--private-key', 'Print the private key itself: whoever reads it owns the wallet.')
  give.action(async (name: string) => {
    const options = give.opts<PassphraseOptions & { privateKey?: boolean }>()
    const { output } = commonOptionsOf(give)
    if (!options.privateKey) return show(terminal, getStoredWallet(terminal.env, name), 'json')
    const privateKey = await unlockWallet(terminal, name, options)
    show(terminal, output === 'json' ? { privateKey } : `${privateKey}\n`, output)
  })

  const remove = named('remove', 'Delete a stored wallet').option('--yes', 'Do not ask.')
  remove.action(async (name: string) => {
    const address = addressOf(getStoredWallet(terminal.env, name))
    if (!remove.opts<{ yes?: boolean }>().yes) await confirm(terminal, name, address)
    removeWallet(terminal.env, name)
    show(terminal, { name, address, removed: true }, commonOptionsOf(remove).output)
  })
}

interface NewKey {
  readonly privateKey: Hex
  readonly passphrase: string
}

async function store(terminal: Terminal, command: Command, name: string, key: NewKey): Promise<void> {
  const { address } = await storeWallet(terminal.env, name, key)
  show(terminal, { name, address, file: walletPath(terminal.env, name) }, commonOptionsOf(command).output)
}

/** A key in clear gets a new passphrase; one from a keystore keeps its own. */
async function keyIn(
  terminal: Terminal,
  text: string,
  { file, name, ...options }: PassphraseOptions & { file: string; name: string },
): Promise<NewKey> {
  const digits = text.trim().match(/^(?:0x)?([0-9a-fA-F]{64})$/)?.[1]
  if (digits !== undefined)
    return {
      privateKey: `0x${digits.toLowerCase()}`,
      passphrase: await choosePassphrase(terminal, options, name),
    }
  const keystore = parseKeystore(text)
  if (!keystore) throw new UsageError(`${file} holds neither a private key nor a keystore, version 3.`)
  const passphrase = await readPassphrase(terminal, options, file)
  const privateKey = await decryptKey(keystore, passphrase)
  if (privateKey === undefined) throw new UsageError(`That is not the passphrase of ${file}.`)
  return { privateKey, passphrase }
}

async function confirm(terminal: Terminal, name: string, address: Hex | null): Promise<void> {
  const answer = await terminal.ask(
    `This deletes the only copy of ${address ?? name} that this program knows. Type ${name} to go on: `,
  )
  if (answer === undefined) throw new UsageError('Pass --yes to delete it without being asked.')
  if (answer.trim() !== name) throw new UsageError('Nothing was deleted.')
}
