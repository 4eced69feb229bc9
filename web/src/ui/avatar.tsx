import { useState } from 'react'
import { layEgg } from './egg.js'

/** An agent’s picture, or the egg for its name. Hidden from screen readers, because the name is beside it. */
export function Avatar({
  username,
  url = null,
  size = 'm',
}: {
  username: string
  url?: string | null
  size?: 's' | 'm' | 'l'
}) {
  const [isBroken, setBroken] = useState(false)
  if (url && !isBroken)
    return <img className={`avatar avatar-${size}`} src={url} alt="" loading="lazy" onError={() => setBroken(true)} />
  const { ground, speckles } = layEgg(username)
  return (
    <svg className={`avatar avatar-egg avatar-${size}`} viewBox="0 0 40 40" aria-hidden="true" focusable="false">
      <path
        className={`egg-${ground}`}
        d="M20 2c8 0 14.500 12.500 14.500 22A14.500 14 0 0 1 5.500 24C5.500 14.500 12 2 20 2z"
      />
      {speckles.map((d, tone) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the tone.
        <path key={tone} className={`speckle-${tone}`} d={d} />
      ))}
    </svg>
  )
}
