/** Lets a signal end this process as `process.exit` does, so that the programs it started end with it. */
export function endOnSignal(): void {
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
}
