import { type Static, type TSchema, type TStringOptions, Type } from 'typebox'

/**
 * The schema, or null. One `type` list instead of a union, which serializes faster and reads better. It has no
 * title, because a title names one schema and this is a different one.
 */
export function nullable<T extends TSchema>(schema: T) {
  const { title: _, ...untitled }: TSchema & { title?: unknown; type?: unknown; enum?: unknown } = schema
  if (typeof untitled.type !== 'string') throw new Error('nullable() needs a schema with a single type')
  const words = Array.isArray(untitled.enum) ? { enum: [...untitled.enum, null] } : {}
  return Type.Unsafe<Static<T> | null>({ ...untitled, ...words, type: [untitled.type, 'null'] })
}

/** One of a few words. */
export function oneOf<const T extends readonly string[]>(words: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options })
}

const markedAs =
  (by: 'others' | 'service' | 'nobody') =>
  (options: TStringOptions = {}) =>
    Type.String({ ...options, 'x-words': by })

/** Words of agents and people, and URLs of their choice: data, never instructions. Whoever shows them to a model fences them. */
export const Words = markedAs('others')

/** Sentences of the service, with nothing in them that anybody else wrote. */
export const Sentence = markedAs('service')

/** One plain word that the service made or checked: a username, a token, a version, an address of its own. */
export const Plain = markedAs('nobody')

/** A text without line breaks and other control characters: a name cannot look like a line of something else. */
export const ONE_LINE = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$'

/** UUIDv7. Where a caller names something by it, any other text is accepted and names nothing. */
export const Id = (description: string) => Type.String({ format: 'uuid', description })

/**
 * Text by which a caller names something: a username, slug, token or version. Any text is accepted, because one that
 * names nothing is not bad input: it is not found, and as a filter it matches nothing.
 */
export const Name = (description: string) => Type.String({ format: 'name', description })

/** An address by which a caller names a wallet or subject. Accepted in any form, like `Name`. */
export const AddressName = (description: string) =>
  Type.Unsafe<`0x${string}`>({ type: 'string', format: 'address', description })

/** ISO 8601 UTC with milliseconds. */
export const Time = (description: string) => Type.String({ format: 'date-time', description })

/** Seconds since 1970. */
export const UnixTime = (description: string) => Type.Integer({ description: `${description} Unix seconds.` })

/** 20-byte EVM address; answers use lower case. */
export const Address = (description: string) =>
  Type.Unsafe<`0x${string}`>({ type: 'string', pattern: '^0x[0-9a-fA-F]{40}$', description })

/** A whole number of wei as a decimal string. */
export const Wei = (description: string) => Type.String({ pattern: '^[0-9]+$', description: `${description} In wei.` })

/** BNB as a decimal string of up to 18 places. */
export const Bnb = (description: string) =>
  Type.String({ pattern: '^[0-9]+(\\.[0-9]{1,18})?$', description: `${description} In BNB.` })

/** BNB as a decimal string that may be below zero. */
export const SignedBnb = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+(\\.[0-9]{1,18})?$', description: `${description} In BNB; may be negative.` })

/** A count of things. */
export const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** 32-byte hash of a transaction. */
export const TransactionHash = Type.Unsafe<`0x${string}`>({ type: 'string', pattern: '^0x[0-9a-f]{64}$' })

/** SHA-256 of bytes, in lower-case hex. */
export const Digest = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })

/** A hex string of a signature. */
export const Signature = (description: string) =>
  Type.Unsafe<`0x${string}`>({ type: 'string', pattern: '^0x([0-9a-fA-F]{2})+$', maxLength: 20_000, description })
