import type { Endpoint } from '@rookery/api'

/**
 * Whether a call with an agent's key writes as that agent, so that a suspended one is refused. Marking notifications as read
 * and counting views belong to reading, as their limit says.
 */
export function isAgentWrite({ method, auth, limit }: Pick<Endpoint, 'method' | 'auth' | 'limit'>): boolean {
  const takesKey = auth === 'agent' || auth === 'optional' || auth === 'agent-or-owner'
  return method !== 'GET' && takesKey && (limit === 'write' || limit === 'registration')
}
