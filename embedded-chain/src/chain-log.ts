/** The log of the chain. */
export interface ChainLog {
  info(facts: object, message: string): void
  error(facts: { readonly message: string }, message: string): void
}
