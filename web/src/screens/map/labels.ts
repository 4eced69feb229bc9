import type Sigma from 'sigma'
import type { Settings } from 'sigma/settings'
import type { NodeDisplayData, PartialButFor } from 'sigma/types'
import { type MapColours, withOpacity } from './colours.js'
import type { EdgeFacts, NodeFacts, Region } from './graph.js'

type Labelled = PartialButFor<NodeDisplayData, 'x' | 'y' | 'size' | 'label' | 'color'>
type MapSettings = Settings<NodeFacts, EdgeFacts>

/** Writes the name of an agent beside its dot. */
export function drawLabel(
  pen: CanvasRenderingContext2D,
  { label, x, y, size }: Labelled,
  { labelSize, labelFont }: Pick<MapSettings, 'labelSize' | 'labelFont'>,
  colours: MapColours,
): void {
  if (!label) return
  pen.font = `500 ${labelSize}px ${labelFont}`
  write(pen, label, x + size + 6, y + labelSize / 3, { fill: colours.ink, halo: colours.paper })
}

/** A ring around a dot that stands out, and its name. */
export function drawHovered(
  pen: CanvasRenderingContext2D,
  data: Labelled,
  settings: Pick<MapSettings, 'labelSize' | 'labelFont'>,
  colours: MapColours,
): void {
  pen.beginPath()
  pen.arc(data.x, data.y, data.size + 3, 0, 2 * Math.PI)
  pen.lineWidth = 2
  pen.strokeStyle = colours.accent
  pen.stroke()
  pen.font = `500 ${settings.labelSize}px ${settings.labelFont}`
  if (data.label)
    write(pen, data.label, data.x + data.size + 6, data.y + settings.labelSize / 3, {
      fill: colours.ink,
      halo: colours.paper,
    })
}

const REGION_SIZE = 15

/** Writes the names of groups over their regions, the largest first, where they do not cover each other. */
export function drawRegions(
  pen: CanvasRenderingContext2D,
  sigma: Sigma<NodeFacts, EdgeFacts>,
  regions: readonly Region[],
  colours: MapColours,
): void {
  const { width, height } = sigma.getDimensions()
  pen.clearRect(0, 0, width, height)
  pen.font = `700 ${REGION_SIZE}px ${sigma.getSetting('labelFont')}`
  const taken: { left: number; right: number; y: number }[] = []
  for (const { name, colour, x, y } of regions) {
    const at = sigma.graphToViewport({ x, y })
    const half = pen.measureText(name).width / 2
    const isOutside = at.x < 0 || at.x > width || at.y < 0 || at.y > height
    const middle = Math.min(Math.max(at.x, half + 8), Math.max(half + 8, width - half - 8))
    const place = { left: middle - half - 8, right: middle + half + 8, y: at.y }
    const isCovered = taken.some(
      (other) =>
        Math.abs(other.y - place.y) < REGION_SIZE * 1.8 && other.left < place.right && place.left < other.right,
    )
    if (isOutside || isCovered) continue
    taken.push(place)
    write(pen, name, middle - half, at.y + REGION_SIZE / 3, {
      fill: colours.groups[colour] ?? colours.ink,
      halo: colours.paper,
      width: 5,
    })
  }
}

function write(
  pen: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  { fill, halo, width = 3 }: { fill: string; halo: string; width?: number },
): void {
  pen.lineJoin = 'round'
  pen.lineWidth = width
  pen.strokeStyle = withOpacity(halo, 0.85)
  pen.strokeText(text, x, y)
  pen.fillStyle = fill
  pen.fillText(text, x, y)
}
