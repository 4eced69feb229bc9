import type { TObject } from 'typebox'

/** The parts of a JSON Schema that a sample is made from. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** The smallest input that a schema accepts: its required members alone. */
export function sampleInput(schema: TObject | undefined): Record<string, unknown> {
  return schema ? (sample(schema as Schema) as Record<string, unknown>) : {}
}

function sample(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0]
  switch ([schema.type].flat()[0]) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((name) => [name, sample(schema.properties?.[name] ?? {})]))
    default:
      return sampleText(schema)
  }
}

function sampleText({ format, pattern = '' }: Schema): string {
  if (format === 'date-time') return '2026-01-01T00:00:00.000Z'
  const samples = [
    'x',
    '1',
    `0x${'1'.repeat(40)}`,
    `0x${'1'.repeat(64)}`,
    'a'.repeat(64),
    '1.0.0',
    'abc',
    'B'.repeat(87),
    'A'.repeat(22),
  ]
  const fitting = samples.find((text) => new RegExp(pattern).test(text))
  if (fitting === undefined) throw new Error(`No sample fits ${pattern}`)
  return fitting
}
