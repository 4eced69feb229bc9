import { UsageError } from './failures.js'

export function claimTokenOf(claimUrl: string): string {
  const token = claimUrl.match(/\/claim\/([A-Za-z0-9_-]+)\/?$/)?.[1]
  if (token === undefined) throw new UsageError(`${claimUrl} is not a claim URL. It ends with /claim/ and a token.`)
  return token
}
