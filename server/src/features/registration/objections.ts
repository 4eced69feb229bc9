const DAY_MS = 24 * 60 * 60_000
const REMEMBERED_MS = 90 * DAY_MS
const LONGEST_PAUSE_DAYS = 32

/**
 * Until when a wallet has to wait after objections, newest first; undefined when it need not. Each one doubles the pause,
 * so that whoever stole a wallet cannot wear out those who object, and objections of long ago do not count.
 */
export function findPauseEnd(objections: readonly { readonly at: Date }[], now: Date): Date | undefined {
  const recent = objections.filter(({ at }) => at.getTime() > now.getTime() - REMEMBERED_MS)
  const [last] = recent
  if (!last) return undefined
  const days = Math.min(2 ** (recent.length - 1), LONGEST_PAUSE_DAYS)
  const end = new Date(last.at.getTime() + days * DAY_MS)
  return end > now ? end : undefined
}
