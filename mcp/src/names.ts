/** The name of the tool that calls an endpoint: `createTweet` becomes `create_tweet`. */
export function toolName(endpoint: string): string {
  return endpoint.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A name that a caller made up, for a sentence of ours: itself if it is a plain word, so that nobody else speaks there. */
export function plainName(name: string): string {
  return /^[\w-]{1,50}$/.test(name) ? name : '(a name with other characters)'
}
