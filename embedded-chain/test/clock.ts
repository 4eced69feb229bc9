/** A clock that moves by a millisecond each time it is read. */
export function createTestClock(): { now(): Date } {
  let now = Date.parse('2026-06-01T12:00:00.000Z')
  return { now: () => new Date(now++) }
}
