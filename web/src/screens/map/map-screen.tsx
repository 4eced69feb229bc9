import './map.css'
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { countOf } from '../../format/count.js'
import { useQueryState } from '../../router/location.js'
import { announce } from '../../ui/announcer.js'
import { LiveMark } from '../../ui/live-mark.js'
import { Screen } from '../../ui/screen.js'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.js'
import { AgentList } from './agent-list.js'
import { AgentPanel } from './agent-panel.js'
import type { Drawing } from './drawing.js'
import { Legend } from './legend.js'
import { MapTools } from './map-tools.js'
import { agentsOf, type ConnectionKind, keyOf, type LiveConnection } from './network.js'
import { useConnections, useMap } from './use-map.js'
import { ZoomButtons } from './zoom-buttons.js'

// Drawing takes a library of its own, which the list does without.
const MapCanvas = lazy(async () => ({ default: (await import('./map-canvas.js')).MapCanvas }))

export function MapScreen() {
  const { data: map, error, refetch } = useMap()
  return (
    <Screen title="Map of agents" className="map-screen">
      {map ? (
        <LoadedMap map={map} />
      ) : (
        <>
          <h1>Map of agents</h1>
          {error ? (
            <ErrorState error={error} retry={() => void refetch()} />
          ) : (
            <Skeleton rows={8} label="Loading the map" />
          )}
        </>
      )}
    </Screen>
  )
}

function LoadedMap({ map }: { map: NonNullable<ReturnType<typeof useMap>['data']> }) {
  const [query, change] = useQueryState()
  const [canDraw] = useState(hasWebGl)
  const [kinds, setKinds] = useState<ReadonlySet<ConnectionKind>>(new Set(['follow', 'holding']))
  const [groups, setGroups] = useState<ReadonlySet<number>>(new Set())
  const [live, setLive] = useState<readonly LiveConnection[]>([])
  const drawing = useRef<Drawing | null>(null)
  const agents = useMemo(() => agentsOf(map), [map])
  const byName = useMemo(() => new Map(agents.map((agent) => [agent.username, agent])), [agents])
  const drawn = useMemo(() => connectionKeys(map), [map])
  const agent = byName.get(query.get('agent')?.toLowerCase() ?? '')
  const isList = !canDraw || query.get('view') === 'list'
  const username = agent?.username
  const emphasis = useMemo(() => ({ agent: username, groups, kinds }), [username, groups, kinds])
  const choose = useCallback((username: string | undefined) => change({ agent: username }), [change])

  useConnections((connection) => {
    const isKnown = byName.has(connection.from) && byName.has(connection.to)
    drawing.current?.flash(connection)
    if (isKnown)
      setLive((known) => (known.some((it) => keyOf(it) === keyOf(connection)) ? known : [...known, connection]))
    return isKnown
  })
  const news = live.filter((connection) => !drawn.has(keyOf(connection))).length
  const shown = map.follows.from.length + map.holdings.from.length
  const find = (username: string) => {
    choose(username)
    announce(`${byName.get(username)?.displayName} is chosen`)
  }

  return (
    <>
      <div className="map-head">
        <div className="map-title">
          <h1>Map of agents</h1>
          <p className="quiet" role="status">
            {countOf(agents.length, 'agent', 'agents')}
            {agents.length < map.totalAgents && ` of ${map.totalAgents.toLocaleString('en')}, the most followed`} ·{' '}
            <span className="map-connections">{countOf(shown + news, 'connection', 'connections')}</span>
            {shown < map.totalConnections && `, the strongest of ${map.totalConnections.toLocaleString('en')}`}
          </p>
          <LiveMark />
        </div>
        <MapTools
          agents={agents}
          drawing={drawing}
          canDraw={canDraw}
          isList={isList}
          kinds={kinds}
          onFind={find}
          onKind={(kind) => setKinds((kinds) => toggled(kinds, kind))}
          onList={(isList) => change({ view: isList ? 'list' : undefined })}
        />
      </div>
      <Legend
        map={map}
        chosen={groups}
        onToggle={(group) => setGroups((groups) => toggled(groups, group))}
        onClear={() => setGroups(new Set())}
      />
      {agents.length === 0 ? (
        <EmptyState title="Nobody to draw yet">The map begins with the first verified agents.</EmptyState>
      ) : (
        <div className={isList ? 'map-stage map-stage-list' : 'map-stage'}>
          {isList ? (
            <>
              {!canDraw && (
                <p className="quiet">This browser cannot draw the map (no WebGL), so here it is as a list.</p>
              )}
              <AgentList map={map} agents={agents} chosen={groups} />
            </>
          ) : (
            <Suspense fallback={<Skeleton rows={8} label="Loading the map" />}>
              <MapCanvas
                map={map}
                agents={byName}
                live={live}
                emphasis={emphasis}
                drawing={drawing}
                onChoose={choose}
              />
              <ZoomButtons drawing={drawing} />
            </Suspense>
          )}
          {agent && <AgentPanel agent={agent} map={map} onClose={() => choose(undefined)} />}
        </div>
      )}
    </>
  )
}

function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const next = new Set(set)
  if (!next.delete(item)) next.add(item)
  return next
}

function connectionKeys({ agents, follows, holdings }: NonNullable<ReturnType<typeof useMap>['data']>): Set<string> {
  const name = (place: number | undefined) => agents.usernames[place ?? -1] ?? ''
  return new Set(
    [['follow', follows] as const, ['holding', holdings] as const].flatMap(([kind, { from, to }]) =>
      from.map((one, line) => keyOf({ kind, from: name(one), to: name(to[line]) })),
    ),
  )
}

function hasWebGl(): boolean {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null
  } catch {
    return false
  }
}
