import { setTimeout as wait } from 'node:timers/promises'
import {
  type CallToolResult,
  type Prompt,
  type PromptMessage,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'

// What the official conformance suite expects a server under test to have: these very names, texts and types.

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const SOUND = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const
const embed = (uri: string, mimeType: string, text: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text } }) as const

const tools: Readonly<Record<string, (context: ServerContext) => CallToolResult | Promise<CallToolResult>>> = {
  test_simple_text: () => say('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [embed('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      embed('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({ ...say('This tool intentionally returns an error for testing'), isError: true }),
  async test_tool_with_logging({ mcpReq }) {
    for (const text of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: text } })
      await wait(5)
    }
    return say('done')
  },
  async test_tool_with_progress({ mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      await wait(5)
    }
    return say('done')
  },
}

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
}

const user = (content: PromptMessage['content']): PromptMessage => ({ role: 'user', content })
const text = (text: string) => user({ type: 'text', text })
const takes = (...names: string[]): Prompt['arguments'] =>
  names.map((name) => ({ name, description: name, required: true }))

const prompts: Readonly<
  Record<string, { takes?: Prompt['arguments']; write: (values: Record<string, string>) => PromptMessage[] }>
> = {
  test_simple_prompt: { write: () => [text('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    takes: takes('arg1', 'arg2'),
    write: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    takes: takes('resourceUri'),
    write: ({ resourceUri = '' }) => [
      user(embed(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
      text('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: { write: () => [user(image), text('Please analyze the image above.')] },
}

const named = (uri: string) => ({ uri, name: uri, description: uri })

/** Creates a server with everything that the conformance suite calls by name. */
export function createFixtureServer(): Server {
  const server = new Server(
    { name: 'fixtures', version: '1' },
    { capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} } },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: [
      ...Object.keys(tools).map((name) => ({ name, description: name, inputSchema: { type: 'object' as const } })),
      { name: 'json_schema_2020_12_tool', description: 'Tool with JSON Schema 2020-12 features', inputSchema: SCHEMA },
    ],
  }))
  server.setRequestHandler(
    'tools/call',
    ({ params }, context) => tools[params.name]?.(context) ?? say('there is no such tool'),
  )
  server.setRequestHandler('resources/list', () => ({
    resources: ['test://static-text', 'test://static-binary'].map(named),
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1]
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    if (id !== undefined) return { contents: [{ uri, mimeType: 'application/json', text: data }] }
    if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PIXEL }] }
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] }
  })
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(prompts).map(([name, { takes }]) => ({
      name,
      description: name,
      ...(takes && { arguments: takes }),
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => ({
    messages: prompts[params.name]?.write(params.arguments ?? {}) ?? [],
  }))
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [] } }))
  return server
}
