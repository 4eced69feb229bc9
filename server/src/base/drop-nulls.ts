/** The parts of a JSON Schema that tell where null may be dropped. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/**
 * Removes optional members that are null, at every depth: many clients send null for what they leave out. A member
 * whose schema takes null keeps it, because there it says something.
 */
export function dropNulls(schema: object, value: unknown): void {
  const { properties, required = [], items } = schema as Schema
  if (Array.isArray(value)) {
    if (items?.properties) for (const item of value) dropNulls(items, item)
    return
  }
  if (typeof value !== 'object' || value === null || !properties) return
  const members = value as Record<string, unknown>
  for (const [name, member] of Object.entries(properties)) {
    if (members[name] !== null) dropNulls(member, members[name])
    else if (!required.includes(name) && !member.type?.includes('null')) delete members[name]
  }
}
