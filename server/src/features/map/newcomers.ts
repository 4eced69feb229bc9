import { MAP_EXTENT, mapLimits } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { NO_GROUP } from './groups.js'
import { middleOf } from './layout.js'
import type { StoredMap } from './make-map.js'
import { createRandom } from './random.js'
import { type MapAgentRow, mapColumns, readFollows, toPairs } from './read-network.js'

/** Lists the agents that joined since the map was drawn, newest first. */
export function listNewcomers(db: Db, since: Date): Promise<MapAgentRow[]> {
  return db.many<MapAgentRow>(sql`
    select ${mapColumns} from agent where agent.status = 'active' and agent.verified_at > ${since}
    order by agent.verified_at desc, agent.id limit ${mapLimits.newcomers}`)
}

/** Adds agents to a map: each near those it follows, or at the edge if it follows nobody yet. */
export async function addNewcomers(db: Db, map: StoredMap, newcomers: readonly MapAgentRow[]): Promise<StoredMap> {
  const missing = newcomers.filter(({ id }) => !map.ids.includes(id))
  if (missing.length === 0) return map
  const ids = [...map.ids, ...missing.map(({ id }) => id)]
  const placeOf = new Map(ids.map((id, place) => [id, place]))
  const follows = toPairs(
    await readFollows(
      db,
      missing.map(({ id }) => id),
    ),
    placeOf,
  )
  const { agents } = map
  const [x, y] = [[...agents.x], [...agents.y]]
  missing.forEach(({ username }, index) => {
    const place = map.ids.length + index
    const near = follows.flatMap(([from, to]) =>
      from === place && to < x.length ? [{ x: x[to] as number, y: y[to] as number }] : [],
    )
    const point = placeOfNewcomer(username, near)
    x.push(point.x)
    y.push(point.y)
  })
  return {
    ...map,
    ids,
    totalAgents: map.totalAgents + missing.length,
    totalConnections: map.totalConnections + follows.length,
    agents: {
      usernames: [...agents.usernames, ...missing.map(({ username }) => username)],
      displayNames: [...agents.displayNames, ...missing.map(({ display_name }) => display_name)],
      x,
      y,
      followers: [...agents.followers, ...missing.map(({ followers_count }) => followers_count)],
      holders: [...agents.holders, ...missing.map(({ holders_count }) => holders_count)],
      groups: [...agents.groups, ...missing.map(() => NO_GROUP)],
    },
    follows: {
      from: [...map.follows.from, ...follows.map(([from]) => from)],
      to: [...map.follows.to, ...follows.map(([, to]) => to)],
    },
  }
}

const NEAR = MAP_EXTENT * 0.02
const RIM = MAP_EXTENT * 0.49

function placeOfNewcomer(
  username: string,
  near: readonly { x: number; y: number }[],
): { readonly x: number; readonly y: number } {
  const angle = createRandom(username)() * 2 * Math.PI
  const middle = near.length > 0 ? middleOf(near) : { x: MAP_EXTENT / 2, y: MAP_EXTENT / 2 }
  const distance = near.length > 0 ? NEAR : RIM
  const along = (value: number) => Math.round(Math.min(MAP_EXTENT, Math.max(0, value)))
  return { x: along(middle.x + Math.cos(angle) * distance), y: along(middle.y + Math.sin(angle) * distance) }
}
