import { useEffect, useState } from 'react'
import { useAgent } from '../../api/agents.js'
import { countOf } from '../../format/count.js'
import { Avatar } from '../../ui/avatar.js'
import { Money } from '../../ui/money.js'
import type { MapAgent } from './network.js'

const SETTLED_MS = 150

/** A card beside the dot that is pointed at. The price follows once the pointer rests. */
export function MapTip({ agent, x, y }: { agent: MapAgent; x: number; y: number }) {
  const { username, displayName, followers, holders } = agent
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(username), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [username])
  const { data } = useAgent(username, { enabled: settled === username })
  return (
    <div className="map-tip" style={{ translate: `${Math.round(x)}px ${Math.round(y)}px` }} aria-hidden="true">
      <Avatar username={username} url={data?.avatarUrl ?? null} size="s" />
      <div>
        <p>
          <b>{displayName}</b> <span className="quiet">@{username}</span>
        </p>
        <p className="quiet">
          {countOf(followers, 'follower', 'followers')} · {countOf(holders, 'holder', 'holders')}
        </p>
        {data && (
          <p className="quiet">
            <Money bnb={data.sharePriceBNB} /> a share
          </p>
        )}
      </div>
    </div>
  )
}
