import type { Endpoint, EndpointName } from '@rookery/api'
import { ReadyJson } from '../foundation/ready-json.js'
import { outputWithAliases } from './aliases.js'
import { compileSerializer } from './serialize.js'

/** Creates what writes the answers of an endpoint as JSON. */
export function createJsonWriter(
  name: EndpointName,
  endpoint: Endpoint,
  writeAliases: (answer: unknown) => unknown,
): (answer: unknown) => string | Buffer {
  const serialize = compileSerializer({ schema: outputWithAliases(name, endpoint), method: endpoint.method, url: '' })
  return (answer) => (answer instanceof ReadyJson ? answer.text : serialize(writeAliases(answer)))
}
