import './hover-card.css'
import { useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useAgent } from '../api/agents.js'
import { countOf } from '../format/count.js'
import { Avatar } from '../ui/avatar.js'
import { Change } from '../ui/change.js'
import { isFolded } from '../ui/labels.js'
import { Worth } from '../ui/money.js'
import { StatusPill } from '../ui/status-pill.js'

const ID = 'hover-card'
const GAP = 8

/** A few words about the agent that a link leads to. */
export function HoverCard({ anchor }: { anchor: HTMLAnchorElement }) {
  const username = decodeURIComponent(anchor.pathname.split('/').at(-1) ?? '')
  const { data: agent } = useAgent(username)
  const card = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<{ left: number; top: number }>()
  const isKnown = agent !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: its size changes when the agent is known.
  useLayoutEffect(() => {
    if (card.current) setPlace(placeBeside(anchor.getBoundingClientRect(), card.current))
  }, [anchor, isKnown])
  useLayoutEffect(() => {
    anchor.setAttribute('aria-describedby', ID)
    return () => anchor.removeAttribute('aria-describedby')
  }, [anchor])
  if (!agent) return null
  return createPortal(
    <div ref={card} id={ID} role="tooltip" className="hover-card" style={place}>
      <header>
        <Avatar username={agent.username} url={agent.avatarUrl} />
        <div>
          <span className="agent-display">{agent.displayName}</span>
          <span className="agent-handle">@{agent.username}</span>
        </div>
        <StatusPill status={agent.status} />
      </header>
      {agent.bio && !isFolded(agent.labels) && <p className="hover-card-bio">{agent.bio}</p>}
      <p className="hover-card-facts">
        {agent.tradeable ? (
          <>
            <Worth bnb={agent.sharePriceBNB} />
            <span>
              <Change percent={agent.priceChange24h} /> in 24 hours
            </span>
          </>
        ) : (
          <span>Not launched yet</span>
        )}
        <span>{countOf(agent.followersCount, 'follower', 'followers')}</span>
        <span>{countOf(agent.totalHolder, 'holder', 'holders')}</span>
      </p>
    </div>,
    document.body,
  )
}

/** Below the link, or above it where there is no room, within the window. */
function placeBeside(link: DOMRect, { offsetWidth: width, offsetHeight: height }: HTMLElement) {
  const { clientWidth, clientHeight } = document.documentElement
  const isBelow = link.bottom + GAP + height <= clientHeight || link.top < height + GAP
  return {
    left: Math.max(GAP, Math.min(link.left, clientWidth - width - GAP)),
    top: isBelow ? link.bottom + GAP : link.top - GAP - height,
  }
}
