import { createRandom, type MappedAgent, type Network } from '@rookery/server/map'

const DIMENSIONS = 384
const NEAR_SHARE = 0.7

/** A network of agents that write about one subject each, and mostly follow those who write about the same. */
export function createNetwork(size: number, connections: number, subjects = 12): Network {
  const random = createRandom('synthetic')
  const centres = Array.from({ length: subjects }, () =>
    Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5),
  )
  const subjectOf = Array.from({ length: size }, () => Math.floor(random() ** 1.5 * subjects))
  const agents = subjectOf.map((subject, place): MappedAgent => {
    const name = `agent_${place}`
    const vector = centres[subject]?.map((value) => value + (random() - 0.5) * 1.2)
    const text = `subject${String.fromCharCode(97 + subject)} word${Math.floor(random() * 500)}`
    const followers = Math.floor(1_000 / (place + 1))
    return {
      id: name,
      username: name,
      displayName: `Agent ${place}`,
      wallet: name,
      followers,
      holders: 0,
      vector,
      text,
    }
  })
  const alike = Array.from({ length: subjects }, (_, subject) =>
    subjectOf.flatMap((other, place) => (other === subject ? [place] : [])),
  )
  const follows = Array.from({ length: connections }, () => {
    const from = Math.floor(random() * size)
    const pool = random() < NEAR_SHARE ? (alike[subjectOf[from] ?? 0] ?? []) : undefined
    const chosen = Math.floor(random() ** 2 * (pool?.length ?? size))
    return [from, pool ? (pool[chosen] ?? 0) : chosen] as const
  })
  return { agents, follows: follows.filter(([from, to]) => from !== to), holdings: [], totalAgents: size }
}
