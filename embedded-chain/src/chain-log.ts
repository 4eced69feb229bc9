/** Where the chain says how it is. */
export interface ChainLog {
  info(facts: object, message: string): void
  error(facts: { readonly message: string }, message: string): void
}
