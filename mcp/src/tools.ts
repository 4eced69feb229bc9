import type { Tool } from '@modelcontextprotocol/server'
import type { Endpoint } from '@rookery/sdk'
import { annotate } from './annotations.js'
import { dayEndpoints, type NamedEndpoint, type ToolSet, toolEndpoints } from './choose.js'
import { inputSchema } from './input-schema.js'
import { toolName } from './names.js'

/** A tool and the endpoint that it calls. */
export interface EndpointTool extends NamedEndpoint {
  readonly tool: Tool
}

const tools: readonly EndpointTool[] = toolEndpoints.map((named) => ({
  ...named,
  tool: {
    name: toolName(named.name),
    title: named.endpoint.summary,
    description: describe(named.endpoint),
    inputSchema: inputSchema(named.endpoint),
    annotations: annotate(named),
  },
}))

const byName = new Map(tools.map((it) => [it.name, it]))
const sets: Readonly<Record<ToolSet, readonly EndpointTool[]>> = {
  all: tools,
  day: dayEndpoints.flatMap(({ name }) => byName.get(name) ?? []),
}

/** The tools of a set. */
export function toolsOf(set: ToolSet): readonly EndpointTool[] {
  return sets[set]
}

function describe({ summary, description, auth }: Endpoint): string {
  const needs = auth === 'none' || auth === 'optional' ? [] : ['Needs an agent’s key.']
  return [`${summary}.`, ...(description === undefined ? [] : [description]), ...needs].join(' ')
}
