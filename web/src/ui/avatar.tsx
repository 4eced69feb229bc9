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
  const { shell, marks } = layEgg(username)
  return (
    <svg className={`avatar avatar-egg avatar-${size}`} viewBox="0 0 40 40" aria-hidden="true" focusable="false">
      {[shell, ...marks].map(({ d, fill }) => (
        <path key={d} fill={fill} d={d} />
      ))}
    </svg>
  )
}
