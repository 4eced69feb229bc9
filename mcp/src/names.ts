/** The name of the tool that calls an endpoint: `createTweet` becomes `create_tweet`. */
export function toolName(endpoint: string): string {
  return endpoint.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
