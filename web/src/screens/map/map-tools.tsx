import type { RefObject } from 'react'
import { CopyButton } from '../../ui/copy-button.js'
import { Icon } from '../../ui/icon.js'
import { AgentFinder } from './agent-finder.js'
import type { Drawing } from './drawing.js'
import type { ConnectionKind, MapAgent } from './network.js'

const KINDS: Readonly<Record<ConnectionKind, string>> = { follow: 'Follows', holding: 'Holdings' }

/** Finds an agent, chooses what is drawn, and shares it. */
export function MapTools({
  agents,
  drawing,
  canDraw,
  isList,
  kinds,
  onFind,
  onKind,
  onList,
}: {
  agents: readonly MapAgent[]
  drawing: RefObject<Drawing | null>
  canDraw: boolean
  isList: boolean
  kinds: ReadonlySet<ConnectionKind>
  onFind: (username: string) => void
  onKind: (kind: ConnectionKind) => void
  onList: (isList: boolean) => void
}) {
  return (
    <div className="map-tools">
      <AgentFinder agents={agents} onChoose={onFind} />
      {!isList &&
        (Object.keys(KINDS) as ConnectionKind[]).map((kind) => (
          <label key={kind} className="tick">
            <input type="checkbox" checked={kinds.has(kind)} onChange={() => onKind(kind)} />
            {KINDS[kind]}
          </label>
        ))}
      {canDraw && (
        <button type="button" className="button button-quiet" aria-pressed={isList} onClick={() => onList(!isList)}>
          As a list
        </button>
      )}
      {!isList && (
        <button
          type="button"
          className="button button-quiet"
          onClick={() => void drawing.current?.savePicture('map-of-agents.png')}
        >
          <Icon name="download" />
          Save picture
        </button>
      )}
      <CopyButton text={`${window.location.origin}/map`} name="Copy link" what="to the map" />
    </div>
  )
}
