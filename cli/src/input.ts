import { explainUnknown } from '@rookery/sdk'
import type { Command } from 'commander'
import { UsageError } from './failures.js'
import { flagOf, type Given, optionFor } from './member-options.js'
import type { Member } from './members.js'
import { openFile } from './open-file.js'
import type { Terminal } from './terminal.js'
import { isRecord } from './values.js'

type Values = Readonly<Record<string, unknown>>

/** Gathers arguments, options and --body into the flat object that the SDK's method takes. */
export async function gatherInput(terminal: Terminal, members: readonly Member[], command: Command): Promise<Values> {
  const params = members.filter(({ part }) => part === 'params')
  const options = members.filter(({ part }) => part !== 'params')
  const body = command.getOptionValue('body') as string | undefined
  const input = {
    ...(body === undefined ? {} : await readBody(terminal, members, body)),
    ...Object.fromEntries(params.map(({ name }, at) => [name, command.processedArgs[at] as unknown])),
    ...(await optionValues(options, command)),
  }
  requireAll(
    members,
    input,
    command.options.some(({ long }) => long === '--body'),
  )
  return input
}

async function optionValues(members: readonly Member[], command: Command): Promise<Values> {
  const given: [string, unknown][] = []
  for (const member of members) {
    const option = command.getOptionValue(optionFor(member).attributeName()) as Given | undefined
    if (option) given.push([member.name, await contentOf(member, option.value)])
  }
  return Object.fromEntries(given)
}

async function contentOf({ schema }: Member, value: unknown): Promise<unknown> {
  return schema.format === 'binary' && typeof value === 'string' ? openFile(value) : value
}

async function readBody(terminal: Terminal, members: readonly Member[], given: string): Promise<Values> {
  const body = parseBody(given === '-' ? await terminal.readInput() : given)
  const known = members.filter(({ part }) => part === 'body').map(({ name }) => name)
  const unknown = Object.keys(body).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const { path, message } = explainUnknown(unknown, known, Object.keys(body))
    throw new UsageError(`--body has \`${path}\`, which ${message}`.replace(/[^?]$/, '$&.'))
  }
  return body
}

function parseBody(text: string): Values {
  try {
    const body: unknown = JSON.parse(text)
    if (isRecord(body)) return body
  } catch {}
  throw new UsageError('--body takes a JSON object, or - to read one from standard input.')
}

function requireAll(members: readonly Member[], input: Values, takesBody: boolean): void {
  const missing = members.filter(({ name, required }) => required && input[name] === undefined)
  if (missing.length === 0) return
  const flags = missing.map(({ name }) => flagOf(name)).join(', ')
  throw new UsageError(`${flags} ${missing.length > 1 ? 'are' : 'is'} required${takesBody ? ', or --body' : ''}.`)
}
