import type { Endpoint } from '@rookery/api'

/** The most bytes that any body may have. */
export const MOST_BYTES = 1_048_576

/** For white space, and for what is refused with better words than that it is too long. */
const ROOM_BYTES = 16 * 1024
/** A character that JSON writes as a pair of escapes, such as \ud83d\ude00. */
const CHARACTER_BYTES = 12
const ID_CHARACTERS = 40
/** Of other texts by which something is named, or that have a pattern. None is longer. */
const NAME_CHARACTERS = 200
const NUMBER_BYTES = 40

/** The parts of a JSON Schema that bound a value. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly maxItems?: number
  readonly maxLength?: number
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly format?: string
}

/**
 * The most bytes that a body of an endpoint may have: as many as the longest valid one, however it is written. Reading
 * more would take time and room, only to refuse it.
 */
export function bodyLimitOf({ body }: Pick<Endpoint, 'body'>): number {
  const bytes = ROOM_BYTES + (body ? bytesOf(body as Schema) : 0)
  return Math.min(MOST_BYTES, Math.ceil(bytes / 1024) * 1024)
}

function bytesOf(schema: Schema): number {
  const { type, properties, items, maxItems = Number.POSITIVE_INFINITY } = schema
  if (properties)
    return Object.entries(properties).reduce((sum, [name, member]) => sum + textBytes(name.length) + bytesOf(member), 2)
  if (items) return maxItems * bytesOf(items)
  return [type].flat().includes('string') ? textBytes(charactersOf(schema)) : NUMBER_BYTES
}

function charactersOf({ maxLength, enum: words, pattern, format }: Schema): number {
  if (maxLength !== undefined) return maxLength
  if (format === 'uuid') return ID_CHARACTERS
  const isName = words !== undefined || pattern !== undefined || format !== undefined
  return isName ? NAME_CHARACTERS : Number.POSITIVE_INFINITY
}

// With quotation marks, and a colon or comma.
function textBytes(characters: number): number {
  return CHARACTER_BYTES * characters + 3
}
