import { calledEndpoints, type Endpoint, endpoints } from '@rookery/api'

const HEAD = `// Made from api/ by \`npm run generate\`. How each endpoint is called, without the schemas of its input and answer.
import type { CallName } from '@rookery/api'
import type { Call } from '../call.js'

export const calls: { readonly [Name in CallName]: Omit<Call, 'name'> } = {
`

/** The module from which the SDK makes its calls. Schemas would be most of what a web page loads. */
export function createCallTable(): string {
  const lines = calledEndpoints.map(({ name, endpoint }) => `  ${name}: ${callOf(endpoint)},\n`)
  return `${HEAD}${lines.join('')}}\n\nexport const streamEvents: Omit<Call, 'name'> = ${callOf(endpoints.streamEvents)}\n`
}

function callOf({ method, path, query, body, multipart, media, auth }: Endpoint): string {
  const names = (object: typeof query) => object && Object.keys(object.properties)
  const members = {
    method,
    path,
    query: names(query),
    body: names(body),
    multipart: multipart && true,
    media: media === 'application/json' ? undefined : media,
    auth: auth === 'browser' ? auth : undefined,
  }
  return JSON.stringify(members)
}
