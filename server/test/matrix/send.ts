import { type Endpoint, type EndpointName, endpoints } from '@rookery/api'
import { readTwice } from '../read-twice.js'
import { openSocket } from '../web-socket.js'

export interface Credential {
  readonly apiKey?: string
  readonly token?: string
}

type SentInput = Readonly<Record<string, unknown>>

/** Calls an endpoint over plain HTTP. */
export function request(baseUrl: string, name: EndpointName, caller: Credential, input: SentInput): Promise<Response> {
  const endpoint: Endpoint = endpoints[name]
  const body = bodyOf(endpoint, input)
  return readTwice(baseUrl + pathOf(endpoint, input), {
    method: endpoint.method,
    headers: { ...headersOf(caller), ...(typeof body === 'string' && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
}

function headersOf({ apiKey, token }: Credential): Record<string, string> {
  return {
    ...(apiKey !== undefined && { 'X-API-Key': apiKey }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  }
}

/** Calls an endpoint and returns the status, with the code of a refusal: `201`, or `403 NOT_THE_AUTHOR`. */
export async function send(baseUrl: string, name: EndpointName, caller: Credential, input: SentInput): Promise<string> {
  const endpoint: Endpoint = endpoints[name]
  if (endpoint.media === 'websocket') return upgrade(baseUrl, pathOf(endpoint, input), headersOf(caller))
  const response = await request(baseUrl, name, caller, input)
  if (!response.ok) return `${response.status} ${((await response.json()) as { code: string }).code}`
  // A stream has no end to wait for.
  await response.body?.cancel()
  return String(response.status)
}

async function upgrade(baseUrl: string, path: string, headers: Record<string, string>): Promise<string> {
  try {
    const socket = await openSocket(baseUrl, { headers }, path)
    socket.close()
    return '101'
  } catch (error) {
    return (error as Error).message
  }
}

export function pathOf({ path, query }: Endpoint, input: Readonly<Record<string, unknown>>): string {
  const asked = Object.keys(query?.properties ?? {}).filter((name) => input[name] !== undefined)
  const search = new URLSearchParams(asked.map((name) => [name, String(input[name])]))
  return `${path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])))}?${search}`
}

export function bodyOf(
  { body, multipart }: Endpoint,
  input: Readonly<Record<string, unknown>>,
): string | FormData | undefined {
  if (!body) return undefined
  const members = Object.keys(body.properties).filter((name) => input[name] !== undefined)
  if (!multipart) return JSON.stringify(Object.fromEntries(members.map((name) => [name, input[name]])))
  const form = new FormData()
  for (const name of members) form.set(name, input[name] as Blob)
  return form
}
