import type { NetworkMap } from '@rookery/sdk'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { createDrawing, type Drawing, type Emphasis } from './drawing.js'
import { MapTip } from './map-tip.js'
import type { LiveConnection, MapAgent } from './network.js'

interface Pointed {
  readonly username: string
  readonly x: number
  readonly y: number
}

const STEP = 0.12

/** The drawing itself. Everything in it is in the list too. */
export function MapCanvas({
  map,
  agents,
  live,
  emphasis,
  drawing,
  onChoose,
}: {
  map: NetworkMap
  agents: ReadonlyMap<string, MapAgent>
  /** Connections that happened since the page was opened. */
  live: readonly LiveConnection[]
  emphasis: Emphasis
  /** Set to the drawing while there is one. */
  drawing: RefObject<Drawing | null>
  onChoose: (username: string | undefined) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const choose = useRef(onChoose)
  choose.current = onChoose
  const known = useRef(live)
  known.current = live
  const [pointed, setPointed] = useState<Pointed>()
  const { agent } = emphasis

  useEffect(() => {
    if (!box.current) return
    const drawn = createDrawing(box.current, {
      onPoint: (username, at) => setPointed(username === undefined ? undefined : { username, ...at }),
      onChoose: (username) => choose.current(username),
    })
    drawing.current = drawn
    return () => {
      drawing.current = null
      drawn.remove()
    }
  }, [drawing])
  useEffect(() => drawing.current?.show(map, known.current), [map, drawing])
  useEffect(() => drawing.current?.emphasise(emphasis), [emphasis, drawing])
  useEffect(() => {
    if (agent !== undefined) drawing.current?.goTo(agent)
  }, [agent, drawing])

  function steer(event: KeyboardEvent) {
    const steps = steering[event.key]
    if (!steps || !drawing.current || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    steps(drawing.current)
  }
  const tip = pointed && agents.get(pointed.username)
  return (
    <>
      <div
        ref={box}
        className="map-canvas"
        role="application"
        aria-label="Map of agents. Arrow keys move it, plus and minus zoom, 0 shows all. The list has the same agents as text."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the map.
        tabIndex={0}
        onKeyDown={steer}
      />
      {tip && pointed && <MapTip agent={tip} x={pointed.x} y={pointed.y} />}
    </>
  )
}

const steering: Readonly<Record<string, (drawing: Drawing) => void>> = {
  ArrowLeft: (drawing) => drawing.pan(-STEP, 0),
  ArrowRight: (drawing) => drawing.pan(STEP, 0),
  ArrowUp: (drawing) => drawing.pan(0, STEP),
  ArrowDown: (drawing) => drawing.pan(0, -STEP),
  '+': (drawing) => drawing.zoom('in'),
  '=': (drawing) => drawing.zoom('in'),
  '-': (drawing) => drawing.zoom('out'),
  '0': (drawing) => drawing.zoom('all'),
}
