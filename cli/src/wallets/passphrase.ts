import { type Command, Option } from 'commander'
import { UsageError } from '../failures.js'
import { findPrivateFile } from '../private-file.js'
import type { Terminal } from '../terminal.js'

export interface PassphraseOptions {
  readonly passphraseFile?: string
  readonly passphraseStdin?: boolean
}

const SHORTEST = 8

export function addPassphraseOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--passphrase-file <file>', 'Read the passphrase of the wallet from this file.').conflicts(
        'passphraseStdin',
      ),
    )
    .option('--passphrase-stdin', 'Read the passphrase of the wallet from standard input.')
}

/** The passphrase of a wallet that exists: from an option, ROOKERY_PASSPHRASE, or the keyboard. */
export async function readPassphrase(terminal: Terminal, options: PassphraseOptions, wallet: string): Promise<string> {
  const passphrase =
    (await givenPassphrase(terminal, options)) ??
    (await terminal.ask(`Passphrase of wallet ${wallet}: `, { isSecret: true }))
  if (passphrase === undefined) throw missing(wallet)
  return passphrase
}

/** A passphrase for a new wallet. Typed ones are asked for twice, since a typing error would lose the wallet. */
export async function choosePassphrase(
  terminal: Terminal,
  options: PassphraseOptions,
  wallet: string,
): Promise<string> {
  const given = await givenPassphrase(terminal, options)
  if (given !== undefined) return checked(given)
  const typed = await terminal.ask(`New passphrase for wallet ${wallet}: `, { isSecret: true })
  if (typed === undefined) throw missing(wallet)
  const passphrase = checked(typed)
  if ((await terminal.ask('The same again: ', { isSecret: true })) !== passphrase)
    throw new UsageError('The two passphrases are not the same. Nothing was stored.')
  return passphrase
}

/** Whether a passphrase comes from somewhere else than the keyboard. */
export function hasPassphrase({ env }: Terminal, { passphraseFile, passphraseStdin }: PassphraseOptions): boolean {
  return passphraseFile !== undefined || passphraseStdin === true || Boolean(env.ROOKERY_PASSPHRASE)
}

async function givenPassphrase(terminal: Terminal, options: PassphraseOptions): Promise<string | undefined> {
  const { passphraseFile, passphraseStdin } = options
  if (passphraseFile !== undefined) {
    const text = findPrivateFile(passphraseFile)
    if (text === undefined) throw new UsageError(`${passphraseFile} does not exist.`)
    return firstLine(text)
  }
  if (passphraseStdin) return firstLine(await terminal.readInput())
  return terminal.env.ROOKERY_PASSPHRASE || undefined
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? ''
}

function checked(passphrase: string): string {
  if (passphrase.length < SHORTEST) throw new UsageError(`A passphrase has at least ${SHORTEST} characters.`)
  return passphrase
}

function missing(wallet: string): UsageError {
  return new UsageError(
    `The passphrase of wallet ${wallet} is missing. Set ROOKERY_PASSPHRASE, pass --passphrase-file or ` +
      '--passphrase-stdin, or run the command in a terminal.',
  )
}
