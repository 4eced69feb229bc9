import type { Secrets } from './collect.js'

/** The secrets that occur in a content: as they are, in hexadecimal or in base64, as a database or a log may write them. */
export function findIn(secrets: Secrets, content: Buffer): string[] {
  return secrets
    .list()
    .filter(({ value }) => formsOf(value).some((form) => content.includes(form)))
    .map(({ what }) => what)
}

const forms = new Map<string, Buffer[]>()

function formsOf(value: string): Buffer[] {
  const known = forms.get(value)
  if (known) return known
  const bytes = Buffer.from(value)
  // A hexadecimal value may be stored as its bytes.
  const raw = /^0x([0-9a-f]{2})+$/i.test(value) ? [Buffer.from(value.slice(2), 'hex'), Buffer.from(value.slice(2))] : []
  // Without the last characters, which depend on what follows.
  const base64 = Buffer.from(bytes.toString('base64').replace(/=+$/, '').slice(0, -2))
  const made = [bytes, Buffer.from(bytes.toString('hex')), base64, Buffer.from(encodeURIComponent(value)), ...raw]
  forms.set(value, made)
  return made
}
