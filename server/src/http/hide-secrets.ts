// Keys, tokens, signatures and hashes are long runs of these; words of a sentence are not.
const SECRETIVE = /(?:sk|whsec)_\S*|[\w+/=.-]{16,}/g

/** Replaces what could be a key, a token or a signature by as many asterisks. */
export function hideSecrets(text: string): string {
  return text.replaceAll(SECRETIVE, (run) => '*'.repeat(run.length))
}

/** Whether a text could contain a secret. */
export function mayHoldSecret(text: string): boolean {
  return hideSecrets(text) !== text
}
