import type { NetworkMap } from '@rookery/sdk'
import { formatCount } from '../../format/count.js'
import { groupName } from './network.js'

/** The groups by colour and name. Choosing some lets them stand out; choosing none shows all alike. */
export function Legend({
  map,
  chosen,
  onToggle,
  onClear,
}: {
  map: NetworkMap
  chosen: ReadonlySet<number>
  onToggle: (group: number) => void
  onClear: () => void
}) {
  if (map.groups.length === 0) return null
  return (
    <fieldset className="map-legend">
      <legend className="visually-hidden">What agents write about</legend>
      {map.groups.map((group, place) => (
        <button
          key={group.colour}
          type="button"
          className="map-group"
          aria-pressed={chosen.has(place)}
          onClick={() => onToggle(place)}
        >
          <span className={`map-dot map-dot-${group.colour}`} aria-hidden="true" />
          {groupName(group)} <span className="quiet">{formatCount(group.agents)}</span>
        </button>
      ))}
      {chosen.size > 0 && (
        <button type="button" className="map-group map-group-all" onClick={onClear}>
          Show all
        </button>
      )}
    </fieldset>
  )
}
