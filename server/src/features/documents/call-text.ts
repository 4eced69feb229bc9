import { type Endpoint, type EndpointName, type Endpoints, endpoints, type Input } from '@rookery/api'

type Values = Readonly<Record<string, unknown>>

/** Formats method, path and body of a call as one line. It is made from the endpoint, so the call always exists. */
export function callText<Name extends EndpointName>(name: Name, input: Partial<Input<Endpoints[Name]>> = {}): string {
  const endpoint: Endpoint = endpoints[name]
  const values: Values = input
  const path = endpoint.path.replace(/:(\w+)/g, (member, key: string) => String(values[key] ?? member))
  const query = new URLSearchParams()
  for (const [key, value] of selectValues(endpoint.query, values)) query.set(key, String(value))
  const body = Object.fromEntries(selectValues(endpoint.body, values))
  // Placeholders stay readable: whoever fills them in encodes what replaces them.
  const readable = String(query).replace(/%3C/g, '<').replace(/%3E/g, '>')
  const call = `\`${endpoint.method} ${path}${query.size > 0 ? `?${readable}` : ''}\``
  return Object.keys(body).length > 0 ? `${call} with body \`${JSON.stringify(body)}\`` : call
}

function selectValues(part: Endpoint['query'], values: Values): [string, unknown][] {
  return Object.keys(part?.properties ?? {}).flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]]]))
}
