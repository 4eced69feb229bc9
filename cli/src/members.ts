import type { Endpoint } from '@rookery/sdk'

/** The subset of JSON Schema that endpoints use for their input. */
export interface MemberSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly (string | null)[]
  readonly items?: MemberSchema
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly description?: string
}

/** One member of an endpoint's input. */
export interface Member {
  readonly name: string
  readonly part: 'params' | 'query' | 'body'
  readonly schema: MemberSchema
  readonly required: boolean
}

/** Lists an endpoint's input: path parameters in the order of the path, then query, then body. */
export function membersOf(endpoint: Endpoint): Member[] {
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const params = part(endpoint, 'params').sort((a, b) => inPath.indexOf(a.name) - inPath.indexOf(b.name))
  return [...params, ...part(endpoint, 'query'), ...part(endpoint, 'body')]
}

function part(endpoint: Endpoint, where: Member['part']): Member[] {
  const object = endpoint[where] as
    | { properties: Readonly<Record<string, MemberSchema>>; required?: readonly string[] }
    | undefined
  return Object.entries(object?.properties ?? {}).map(([name, schema]) => ({
    name,
    part: where,
    schema,
    required: object?.required?.includes(name) ?? false,
  }))
}

/** The type of the value when it is not null. */
export function typeOf({ type }: MemberSchema): string | undefined {
  return typeof type === 'string' ? type : type?.find((name) => name !== 'null')
}

export function isNullable({ type }: MemberSchema): boolean {
  return Array.isArray(type) && type.includes('null')
}
