import type { RefObject } from 'react'
import type { Drawing } from './drawing.js'

const buttons = [
  ['in', 'Zoom in', 'M12 5v14M5 12h14'],
  ['out', 'Zoom out', 'M5 12h14'],
  ['all', 'Show the whole map', 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5'],
] as const

export function ZoomButtons({ drawing }: { drawing: RefObject<Drawing | null> }) {
  return (
    <div className="map-zoom">
      {buttons.map(([way, name, path]) => (
        <button
          key={way}
          type="button"
          className="icon-button"
          aria-label={name}
          title={name}
          onClick={() => drawing.current?.zoom(way)}
        >
          <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d={path} />
          </svg>
        </button>
      ))}
    </div>
  )
}
