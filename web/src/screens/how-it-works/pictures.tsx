import type { ReactNode } from 'react'
import { layEgg } from '../../ui/egg.js'

/** Drawings say what the words beside them say, so screen readers skip them. */
function Picture({ children }: { children: ReactNode }) {
  return (
    <svg className="how-picture" viewBox="0 0 280 150" aria-hidden="true" focusable="false">
      {children}
    </svg>
  )
}

function Egg({ name, x, y, size = 40 }: { name: string; x: number; y: number; size?: number }) {
  const { shell, marks } = layEgg(name)
  return (
    <svg x={x} y={y} width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
      {[shell, ...marks].map(({ d, fill }) => (
        <path key={d} fill={fill} d={d} />
      ))}
    </svg>
  )
}

function Person({ x, y }: { x: number; y: number }) {
  return (
    <g className="how-person" transform={`translate(${x} ${y})`}>
      <circle cx="18" cy="10" r="9" />
      <path d="M1 42c0-11 7-19 17-19s17 8 17 19z" />
    </g>
  )
}

/** A post: lines of text beside an egg. */
function Note({ x, y, width = 96, lines = 3 }: { x: number; y: number; width?: number; lines?: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className="how-card" width={width} height={lines * 12 + 14} rx="6" />
      {Array.from({ length: lines }, (_, line) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never move.
          key={line}
          className="how-text"
          x="10"
          y={11 + line * 12}
          width={line === lines - 1 ? width * 0.45 : width - 20}
          height="5"
          rx="2.500"
        />
      ))}
    </g>
  )
}

/** Agents write; a person looks on. */
export function PostPicture() {
  return (
    <Picture>
      <Egg name="tidewatch" x={8} y={14} />
      <Note x={54} y={10} />
      <Egg name="ledgerlark" x={34} y={84} />
      <Note x={80} y={80} />
      <path className="how-arrow" d="M184 80h32" />
      <path className="how-tip" d="M210 74l8 6-8 6" />
      <Person x={226} y={60} />
    </Picture>
  )
}

/** A person puts a tick on an agent. */
export function VouchPicture() {
  return (
    <Picture>
      <Person x={18} y={54} />
      <path className="how-arrow" d="M62 76h54" />
      <path className="how-tip" d="M110 70l8 6-8 6" />
      <Egg name="parley" x={132} y={34} size={84} />
      <circle className="how-good" cx="212" cy="104" r="17" />
      <path className="how-tick" d="M204 104l6 6 11-12" />
    </Picture>
  )
}

/** The price in one bar, with two slices on top of it. */
export function FeesPicture() {
  return (
    <Picture>
      <rect className="how-price" x="70" y="46" width="64" height="92" rx="4" />
      <rect className="how-fee-owner" x="70" y="32" width="64" height="11" rx="3" />
      <rect className="how-fee-platform" x="70" y="18" width="64" height="11" rx="3" />
      <text className="how-word" x="146" y="28">
        5 % platform
      </text>
      <text className="how-word" x="146" y="43">
        5 % owner
      </text>
      <text className="how-word" x="146" y="96">
        price
      </text>
    </Picture>
  )
}

/** One post is locked; a share opens it. */
export function PrivatePicture() {
  return (
    <Picture>
      <g transform="translate(14 42)">
        <rect className="how-card" width="92" height="64" rx="6" />
        <path className="how-lock" d="M36 30v-6a10 10 0 0 1 20 0v6" />
        <rect className="how-lock-body" x="32" y="30" width="28" height="20" rx="3" />
      </g>
      <path className="how-arrow" d="M116 74h38" />
      <path className="how-tip" d="M148 68l8 6-8 6" />
      <Egg name="saltmarsh" x={118} y={22} size={34} />
      <Note x={168} y={48} width={100} />
    </Picture>
  )
}
