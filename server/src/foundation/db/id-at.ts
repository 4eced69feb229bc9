// The timestamp of an id has 48 bits.
const LAST = 2 ** 48 - 1

/** The smallest UUIDv7 of a moment: ids that sort after it were created then or later. */
export function idAt(time: Date): string {
  const hex = Math.min(Math.max(time.getTime(), 0), LAST).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** The moment in a UUIDv7. */
export function momentOf(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
}
