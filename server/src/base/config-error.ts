/** An error that the operator can fix: the message names the variable or file and says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
