import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import {
  type CallOptions,
  type Client,
  type Endpoint,
  type EndpointName,
  endpoints,
  explainUnknown,
  PendingApproval,
  RookeryError,
} from '@rookery/sdk'
import type { NamedEndpoint } from './choose.js'
import { formatAnswer, formatForeignDocument, isPrepared, type Schema, structure } from './words.js'

export type Arguments = Readonly<Record<string, unknown>>

/** Calls an endpoint and returns its answer. */
export function callEndpoint(client: Client, name: string, input: Arguments, call: CallOptions): Promise<unknown> {
  const methods = client as unknown as Readonly<
    Record<string, (input: Arguments, call: CallOptions) => Promise<unknown>>
  >
  const method = methods[name]
  if (!method) throw new Error(`There is no endpoint ${name}.`)
  return method(input, call)
}

/** Calls the endpoint of a tool. What the service refuses is a result with `isError`, so that the model reads why. */
export async function callTool(
  client: Client,
  { name }: NamedEndpoint,
  input: Arguments,
  call: CallOptions,
): Promise<CallToolResult> {
  try {
    return formatResult(name, await callEndpoint(client, name, input, call))
  } catch (error) {
    return formatFailure(error)
  }
}

/** What an endpoint answers with when it is done, or waits for the owner. */
export function answerSchema(name: EndpointName, ...more: Schema[]): Schema {
  const { output, charge } = endpoints[name] as Endpoint
  return { anyOf: [output as Schema, ...(charge === 'post' ? [PendingApproval as Schema] : []), ...more] }
}

/** Turns the answer of an endpoint into text for a model and data for a program. */
export function formatResult(name: EndpointName, answer: unknown, ...more: Schema[]): CallToolResult {
  const schema = answerSchema(name, ...more)
  if (typeof answer === 'string')
    return text(isOwnDocument(name) ? answer : formatForeignDocument('the document', answer))
  if (typeof answer !== 'object' || answer === null) return text(JSON.stringify(answer))
  return {
    ...text([...sentencesOf(answer), formatAnswer(answer, schema)].join('\n\n')),
    structuredContent: structure(answer, schema),
  }
}

// Failures between here and the service, and of this machine, by the names of their errors.
const LOCAL_FAILURES: Readonly<Record<string, string>> = {
  NetworkError: 'NETWORK',
  TimeoutError: 'NETWORK',
  UsageError: 'USAGE',
}

/** Whether the service wrote the text that an endpoint answers with, and has fenced what it quotes. */
export function isOwnDocument(name: EndpointName): boolean {
  return (endpoints[name].output as Schema)['x-words'] === 'service'
}

/** Why a call failed, as a result. What is neither a refusal nor a failure of the line is thrown on. */
export function formatFailure(error: unknown): CallToolResult {
  if (!(error instanceof RookeryError)) {
    const code = error instanceof Error ? LOCAL_FAILURES[error.name] : undefined
    if (code === undefined) throw error
    return refuse(code, (error as Error).message)
  }
  const details = error.details.map(({ path, message }) => `- ${path}: ${message}`)
  const wait = error.retryAfterSeconds === undefined ? [] : [`Try again in ${error.retryAfterSeconds} seconds.`]
  return refuse(error.code, [error.message, ...details, ...wait].join('\n'))
}

export function refuse(code: string, message: string): CallToolResult {
  return { ...text(`${code}: ${message}`), structuredContent: { code, message }, isError: true }
}

function text(text: string): { content: { type: 'text'; text: string }[] } {
  return { content: [{ type: 'text', text }] }
}

// What a prepared transaction does comes first, in plain words.
function sentencesOf(answer: object): string[] {
  const { summary, transaction } = answer as { summary?: unknown; transaction?: unknown }
  if (typeof summary !== 'string' || !isPrepared(answer)) return []
  const next = transaction ? ['Nothing has been sent: sign the transaction below with the wallet and send it.'] : []
  return [[summary, ...answer.warnings.map(({ message }) => String(message)), ...next].join(' ')]
}

const MOST_UNKNOWN = 5

/** What is wrong with the names of the arguments; the service itself checks the values. */
export function findMistake(
  { properties = {}, required = [] }: Pick<Tool['inputSchema'], 'properties' | 'required'>,
  input: Arguments,
): string | undefined {
  const known = Object.keys(properties)
  const sent = Object.keys(input)
  const missing = required.filter((name) => input[name] === undefined || input[name] === null)
  const unknown = sent.filter((name) => !known.includes(name)).slice(0, MOST_UNKNOWN)
  if (missing.length === 0 && unknown.length === 0) return undefined
  return [
    ...(missing.length > 0 ? [`Missing: ${missing.join(', ')}.`] : []),
    ...unknown.map((name) => {
      const { path, message } = explainUnknown(name, known, sent)
      return `You sent \`${path}\`, which ${message}`.replace(/[^?]$/, '$&.')
    }),
    `This tool takes: ${known.join(', ') || 'nothing'}.`,
  ].join(' ')
}
