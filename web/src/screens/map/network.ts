import type { NetworkMap } from '@rookery/sdk'

/** How two agents are connected. */
export type ConnectionKind = 'follow' | 'holding'

/** A connection that happened while the page was open. */
export interface LiveConnection {
  readonly kind: ConnectionKind
  readonly from: string
  readonly to: string
}

/** An agent of the map. */
export interface MapAgent {
  readonly username: string
  readonly displayName: string
  readonly followers: number
  readonly holders: number
  /** Place in the groups; -1 without public posts. */
  readonly group: number
}

/** The agents of a map, the most followed first. */
export function agentsOf({ agents }: NetworkMap): MapAgent[] {
  return agents.usernames.map((username, place) => ({
    username,
    displayName: agents.displayNames[place] ?? username,
    followers: agents.followers[place] ?? 0,
    holders: agents.holders[place] ?? 0,
    group: agents.groups[place] ?? -1,
  }))
}

/** The name of a group: its words, or what it stands for when there are none. */
export function groupName({ words }: { readonly words: readonly string[] }): string {
  return words.length > 0 ? words.join(' · ') : 'Other subjects'
}

/** The name of the agents that belong to no group. */
export const NO_GROUP_NAME = 'No public posts yet'

/** Finds agents by name: those that begin with the text first. */
export function findAgents(agents: readonly MapAgent[], text: string, most: number): MapAgent[] {
  const wanted = text.trim().replace(/^@/, '').toLowerCase()
  if (wanted === '') return []
  const rank = ({ username, displayName }: MapAgent) => {
    const names = [username.toLowerCase(), displayName.toLowerCase()]
    if (names.includes(wanted)) return 0
    if (names.some((name) => name.startsWith(wanted))) return 1
    return names.some((name) => name.includes(wanted)) ? 2 : 3
  }
  return agents
    .map((agent) => ({ agent, rank: rank(agent) }))
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ agent }) => agent)
}

/** Identifies a connection. */
export const keyOf = ({ kind, from, to }: LiveConnection) => `${kind} ${from} ${to}`
