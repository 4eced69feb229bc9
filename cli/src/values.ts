import { oneLine } from './plain-text.js'

export type Row = Readonly<Record<string, unknown>>

const NAMES = ['username', 'handle', 'name', 'displayName', 'address', 'id']

export function isRecord(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a non-empty list of objects. */
export function isRecordList(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord)
}

/** Renders a value on one line; an object by its name, if it has one. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(cellOf).join(', ')
  if (!isRecord(value)) return oneLine(String(value))
  const name = NAMES.map((key) => value[key]).find((candidate) => typeof candidate === 'string')
  return name === undefined ? oneLine(JSON.stringify(value)) : oneLine(name)
}
