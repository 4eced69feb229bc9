import type { Endpoint } from '@rookery/api'
import type { FastifyRequest } from 'fastify'
import { readIds } from './names.js'

// Members that an endpoint does not declare were not validated, so they must not reach the handler or replace others.
export function inputOf(endpoint: Endpoint, { params, query, body }: FastifyRequest): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  copyDeclared(input, endpoint.body, body)
  copyDeclared(input, endpoint.query, query)
  copyDeclared(input, endpoint.params, params)
  return input
}

function copyDeclared(input: Record<string, unknown>, schema: Endpoint['body'], part: unknown): void {
  if (!schema || typeof part !== 'object' || part === null) return
  for (const [name, value] of Object.entries(part))
    if (Object.hasOwn(schema.properties, name)) input[name] = readIds(schema.properties[name], value)
}
