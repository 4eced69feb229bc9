import { explainUnknown } from '@rookery/api'
import type { Detail } from './problem.js'

/** The parts of a JSON Schema that tell which members are known. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: unknown
}

/** More than this help nobody. */
const MOST_EXPLAINED = 5

/** Explains the first few members of a value that its schema does not have, at every depth. */
export function explainUnknownMembers(schema: object, value: unknown): Detail[] {
  const found: Detail[] = []
  walk(schema, value, '', found)
  return found
}

function walk(schema: Schema, value: unknown, path: string, found: Detail[]): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (!schema.items?.properties) return
    for (const [index, item] of value.entries()) {
      if (found.length >= MOST_EXPLAINED) return
      walk(schema.items, item, `${path}${index}.`, found)
    }
    return
  }
  const { properties, additionalProperties } = schema
  if (!properties || additionalProperties === true) return
  for (const [name, member] of Object.entries(value)) {
    if (found.length >= MOST_EXPLAINED) return
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known) walk(known, member, `${path}${name}.`, found)
    else {
      const unknown = explainUnknown(name, Object.keys(properties), Object.keys(value))
      found.push({ ...unknown, path: `${path}${unknown.path}` })
    }
  }
}
