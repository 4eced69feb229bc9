/** About how long, for people. */
export function spanText(seconds: number): string {
  return seconds < 90 ? `about ${Math.ceil(seconds)} s` : `about ${Math.ceil(seconds / 60)} min`
}
