import type { JSONObject, Tool } from '@modelcontextprotocol/server'
import type { Endpoint } from '@rookery/sdk'

/** The JSON Schema of everything a tool takes: path, query and body members in one flat object, as in the SDK. */
export function inputSchema(
  endpoint: Endpoint,
): Tool['inputSchema'] & { readonly properties: Record<string, JSONObject> } {
  const parts = [endpoint.params, endpoint.query, endpoint.body].flatMap((part) => part ?? [])
  const properties = Object.fromEntries(
    parts.flatMap(({ properties }) => Object.entries(properties).map(([name, member]) => [name, plain(member)])),
  )
  const required = parts.flatMap(({ required = [] }) => required as string[])
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

// Formats that JSON Schema defines. A strict validator refuses a schema with any other.
const KNOWN_FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date-time', 'uri', 'email'])

/** Makes a plain copy without what only our own code understands. */
function plain(schema: unknown): JSONObject {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      (key === 'title' && typeof value === 'string') ||
      key === 'x-words' ||
      (key === 'format' && !KNOWN_FORMATS.has(value))
        ? undefined
        : value,
    ),
  ) as JSONObject
}
