import type { PlatformConfig } from '@rookery/sdk'

export type Network = PlatformConfig['features']['socialNetwork']

/** The address of a form with this text, ready to post. */
export function composeUrl(network: Network, text: string): string {
  const query = `text=${encodeURIComponent(text)}`
  return network === 'local' ? `/local/x/?${query}` : `https://x.com/intent/post?${query}`
}

export function networkName(network: Network): string {
  return network === 'local' ? 'the local network' : 'X'
}
