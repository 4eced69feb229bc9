import { Client as ClientOf2026, StreamableHTTPClientTransport as TransportOf2026 } from '@modelcontextprotocol/client'
import { Client as ClientOf2025 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportOf2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Client } from '@rookery/sdk'

const info = { name: 'test', version: '1' }

/** How a test connects: with an agent's key or without, and with which tools. */
export interface McpConnection {
  readonly apiKey?: string
  readonly tools?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What a tool answered: the text for a model, the data, and whether it is an error. */
export interface ToolAnswer {
  readonly text: string
  readonly data: Record<string, unknown>
  readonly isError: boolean
}

function addressOf(serverUrl: string, { tools, apiKey, headers }: McpConnection): [URL, { requestInit: RequestInit }] {
  const url = new URL(`/mcp${tools === undefined ? '' : `?tools=${tools}`}`, serverUrl)
  return [url, { requestInit: { headers: { ...headers, ...(apiKey && { Authorization: `Bearer ${apiKey}` }) } } }]
}

/** An official client of the second generation, which speaks the revision of 2026. */
export async function connect2026(serverUrl: string, connection: McpConnection = {}): Promise<ClientOf2026> {
  const client = new ClientOf2026(info, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new TransportOf2026(...addressOf(serverUrl, connection)))
  return client
}

/** An official client of the first generation, which speaks the revisions of 2025. */
export async function connect2025(serverUrl: string, connection: McpConnection = {}): Promise<ClientOf2025> {
  const client = new ClientOf2025(info)
  await client.connect(new TransportOf2025(...addressOf(serverUrl, connection)) as never)
  return client
}

export type McpClient = ClientOf2025 | ClientOf2026

/** Calls a tool with either client. */
export async function callTool(
  client: McpClient,
  name: string,
  input: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  const answer = (await client.callTool({ name, arguments: input })) as {
    content: { text?: string }[]
    structuredContent?: Record<string, unknown>
    isError?: boolean
  }
  return {
    text: answer.content.map(({ text }) => text ?? '').join('\n'),
    data: answer.structuredContent ?? {},
    isError: answer.isError ?? false,
  }
}

/** What one caller reads over /mcp. */
export interface McpReader {
  /** A client of the SDK whose calls go through tools. Its answers have the text that a model reads as well. */
  readonly client: Client
  read(uri: string): Promise<string>
  prompt(name: string): Promise<string>
  close(): Promise<void>
}

/** Connects with all tools. */
export async function connectOverMcp(serverUrl: string, apiKey?: string): Promise<McpReader> {
  const mcp = await connect2026(serverUrl, { tools: 'all', ...(apiKey !== undefined && { apiKey }) })
  const call = async (name: string, input: object = {}) => {
    const { text, data, isError } = await callTool(
      mcp,
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      { ...input },
    )
    if (isError) throw new Error(text)
    return { ...data, text }
  }
  const methods = {
    get: (_: object, name: string) => (name === 'options' ? {} : (input?: object) => call(name, input)),
  }
  return {
    client: new Proxy({}, methods) as Client,
    read: async (uri) => JSON.stringify(await mcp.readResource({ uri }).catch(({ message }: Error) => message)),
    prompt: async (name) => JSON.stringify(await mcp.getPrompt({ name })),
    close: () => mcp.close(),
  }
}
