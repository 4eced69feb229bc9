/** The command line is wrong or asks for the impossible. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
