/** Makes a signal end this process through `process.exit`, so that its exit handlers stop the programs it started. */
export function endOnSignal(): void {
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
}
