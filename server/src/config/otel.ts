// How the variables of OpenTelemetry are written: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables

/** A list such as `name=value,other=value%20two`. The error must not repeat the values, which may be secrets. */
export function pairs(value: string): Record<string, string> {
  const entries = value.split(',').flatMap((part): [string, string][] => {
    if (part.trim() === '') return []
    const [, name, text] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(part) ?? []
    if (name === undefined || text === undefined) throw new Error('must be a list such as name=value,other=value')
    return [[decode(name), decode(text)]]
  })
  return Object.fromEntries(entries)
}

/** Headers, in the same form. */
export function headers(value: string): Record<string, string> {
  const found = pairs(value)
  for (const [name, text] of Object.entries(found))
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(text))
      throw new Error('must hold names and values that HTTP allows')
  return found
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('must write a percent sign as %25')
  }
}

export function truth(value: string): boolean {
  if (!/^(true|false)$/i.test(value)) throw new Error('must be true or false')
  return value.toLowerCase() === 'true'
}

export function ratio(value: string): number {
  if (!/^(0|1|0?\.\d{1,17}|[01]\.0+)$/.test(value)) throw new Error('must be a number from 0 to 1')
  return Number(value)
}
