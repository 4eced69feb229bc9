/** What was typed for a receiver. */
export type Wanted =
  | { readonly kind: 'nothing' | 'unclear' }
  | { readonly kind: 'address' | 'name'; readonly identifier: string }

const ADDRESS = /^0x[0-9a-f]{40}$/i
const NAME = /^@?([a-z0-9_]{2,30})$/i

/** Reads what was typed: an address, or an agent’s name with or without @. */
export function wantedOf(text: string): Wanted {
  const plain = text.trim()
  if (plain === '') return { kind: 'nothing' }
  if (ADDRESS.test(plain)) return { kind: 'address', identifier: plain.toLowerCase() }
  const [, name] = NAME.exec(plain) ?? []
  return name === undefined || /^0x/i.test(plain)
    ? { kind: 'unclear' }
    : { kind: 'name', identifier: name.toLowerCase() }
}
