import type { Auth, Client, Endpoint } from '@rookery/sdk'
import type { Command } from 'commander'
import { addCommonOptions, commonOptionsOf } from './common-options.js'
import { clientFor, resolveConnection } from './connection.js'
import { gatherInput } from './input.js'
import { argumentFor, optionFor } from './member-options.js'
import { membersOf } from './members.js'
import { capitalised, kebabCase } from './names.js'
import { show } from './output.js'
import type { Terminal } from './terminal.js'

export interface NamedEndpoint {
  readonly name: string
  readonly endpoint: Endpoint
}

type Method = (input: object, call: { idempotencyKey?: string }) => Promise<unknown>

const callers: Readonly<Record<Auth, string>> = {
  none: 'anyone',
  optional: 'anyone; an API key or ROOKERY_TOKEN adds what depends on the caller',
  agent: 'an agent, by its API key',
  owner: 'an owner, by ROOKERY_TOKEN',
  'agent-or-owner': 'an agent by its API key, or an owner by ROOKERY_TOKEN',
  'signed-in': 'an agent by its API key, or an owner or a wallet by ROOKERY_TOKEN',
  person: 'an owner or a wallet, by ROOKERY_TOKEN',
  moderator: 'a moderator, by ROOKERY_TOKEN',
  browser: 'the service’s own pages',
}

/** Adds the command for an endpoint, made entirely from the endpoint's description. */
export function addEndpointCommand(program: Command, terminal: Terminal, { name, endpoint }: NamedEndpoint): void {
  const members = membersOf(endpoint)
  const command = program.command(kebabCase(name)).summary(endpoint.summary).description(describe(endpoint))
  for (const member of members) {
    if (member.part === 'params') command.addArgument(argumentFor(member))
    else command.addOption(optionFor(member))
  }
  if (endpoint.body && !endpoint.multipart)
    command.option('--body <json>', 'The whole body as JSON, or - to read it from stdin. Other options override it.')
  if (endpoint.method !== 'GET')
    command.option('--idempotency-key <key>', 'Makes this command safe to repeat: it is applied once per key.')
  addCommonOptions(command).action(async () => {
    const { output, ...common } = commonOptionsOf(command)
    const input = await gatherInput(terminal, members, command)
    const connection = resolveConnection(terminal.env, common)
    const client = clientFor(connection, endpoint.auth)
    show(terminal, await methodOf(client, name)(input, callOptions(command)), output)
  })
}

function methodOf(client: Client, name: string): Method {
  return (client as unknown as Readonly<Record<string, Method>>)[name] as Method
}

function callOptions(command: Command): { idempotencyKey?: string } {
  const idempotencyKey = command.getOptionValue('idempotencyKey') as string | undefined
  return idempotencyKey === undefined ? {} : { idempotencyKey }
}

function describe({ summary, description, method, path, auth }: Endpoint): string {
  const text = description === undefined ? `${summary}.` : `${summary}. ${capitalised(description)}`
  return `${text}\n\n${method} ${path}, for ${callers[auth]}.`
}
