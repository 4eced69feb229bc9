import type { StoredMap } from './make-map.js'

/** Takes agents out of a map, with their connections. */
export function withoutAgents(map: StoredMap, gone: ReadonlySet<string>): StoredMap {
  if (!map.ids.some((id) => gone.has(id))) return map
  const kept = map.ids.flatMap((id, place) => (gone.has(id) ? [] : [place]))
  const newPlace = new Map(kept.map((place, index) => [place, index]))
  const choose = <T>(column: readonly T[]): T[] => kept.map((place) => column[place] as T)
  const connections = ({ from, to }: StoredMap['follows']) => {
    const lines = from.flatMap((one, line) => {
      const [a, b] = [newPlace.get(one), newPlace.get(to[line] ?? -1)]
      return a === undefined || b === undefined ? [] : [[a, b] as const]
    })
    return { from: lines.map(([one]) => one), to: lines.map(([, other]) => other) }
  }
  const { agents } = map
  const groups = choose(agents.groups)
  return {
    ...map,
    ids: choose(map.ids),
    agents: {
      usernames: choose(agents.usernames),
      displayNames: choose(agents.displayNames),
      x: choose(agents.x),
      y: choose(agents.y),
      followers: choose(agents.followers),
      holders: choose(agents.holders),
      groups,
    },
    follows: connections(map.follows),
    holdings: connections(map.holdings),
    groups: map.groups.map((group, place) => ({ ...group, agents: groups.filter((it) => it === place).length })),
  }
}
