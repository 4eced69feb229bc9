import type { TSchema } from 'typebox'
import { Problem } from '../base/problem.js'

/** Cuts the JSON of an answer to the members that its caller asked for. */
export type Cut = (json: string) => string

/** The members to keep; `true` keeps a member whole. */
type Kept = Map<string, Kept | true>

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

const MOST_FIELDS = 100

/**
 * Creates what reads the `fields` of calls of an endpoint: names by comma, which lead into an object, or into the objects of
 * a list, by dots. They are members of the items of a page, whose `meta` always stays, or of a single answer.
 */
export function createFieldReader(output: TSchema): (fields: string) => Cut {
  const { data, meta } = (output as Shape).properties ?? {}
  const isPage = data !== undefined && meta !== undefined
  const shape = isPage ? data : (output as Shape)
  return (fields) => {
    const kept = readFields(shape, fields)
    return (json) => {
      const answer = JSON.parse(json) as { data?: unknown }
      return JSON.stringify(isPage ? { ...answer, data: keep(answer.data, kept) } : keep(answer, kept))
    }
  }
}

function readFields(shape: Shape, fields: string): Kept {
  const paths = fields.split(',').flatMap((path) => path.trim() || [])
  if (paths.length === 0 || paths.length > MOST_FIELDS)
    throw Problem.at('fields', `must name 1 to ${MOST_FIELDS} members, by comma`)
  const kept: Kept = new Map()
  for (const path of paths) addPath(kept, shape, path.split('.'))
  return kept
}

function addPath(kept: Kept, shape: Shape, names: readonly string[], before: readonly string[] = []): void {
  const [name = '', ...rest] = names
  const members = membersOf(shape)
  const member = members.get(name)
  if (!member) throw unknownField(before, [...members.keys()])
  const known = kept.get(name)
  if (rest.length === 0) kept.set(name, true)
  else {
    const inside: Kept = known instanceof Map ? known : new Map()
    addPath(inside, member, rest, [...before, name])
    // What is kept whole contains all its members.
    if (known !== true) kept.set(name, inside)
  }
}

function unknownField(inside: readonly string[], known: readonly string[]): Problem {
  const place = inside.length === 0 ? 'here' : `in ${inside.join('.')}`
  if (known.length === 0) return Problem.at('fields', `names a member of ${inside.join('.')}, which has none`)
  return Problem.at('fields', `names a member that does not exist; ${place} are ${known.join(', ')}`)
}

function membersOf({ properties, items, anyOf }: Shape): Map<string, Shape> {
  if (items) return membersOf(items)
  if (anyOf) return new Map(anyOf.flatMap((shape) => [...membersOf(shape)]))
  return new Map(Object.entries(properties ?? {}))
}

function keep(value: unknown, kept: Kept): unknown {
  if (Array.isArray(value)) return value.map((item) => keep(item, kept))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const inner = kept.get(name)
    if (inner === undefined) return []
    return [[name, inner === true ? member : keep(member, inner)]]
  })
  return Object.fromEntries(members)
}
