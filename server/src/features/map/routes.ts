import type { Handlers } from '../../call.js'
import type { MapReader } from './open.js'

export function mapRoutes(map: MapReader) {
  return { getMap: () => map.read() } satisfies Partial<Handlers>
}
