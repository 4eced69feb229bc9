/** Says which variable is wrong and what it takes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
