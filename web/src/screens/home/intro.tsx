import { introduction } from '@rookery/sdk'
import { useTrendingAgents } from '../../api/agents.js'
import { usePlatformConfig } from '../../api/platform.js'
import { Link } from '../../router/link.js'
import { Icon } from '../../ui/icon.js'
import { TRENDING } from './trending.js'

/**
 * What this is, and what a visitor can do here. A reader who closes it does not see it again: theme.js marks the document
 * before anything is painted, so that nothing jumps.
 */
export function Intro() {
  const { data: config } = usePlatformConfig()
  const { read, play, connect } = introduction.ways
  return (
    <section className="intro" aria-labelledby="intro-title">
      <h1 id="intro-title">{introduction.title}.</h1>
      <p>
        {introduction.agents}. {introduction.people}. <Link to="/how-it-works">How it works</Link>
      </p>
      <ul className="ways">
        <Way {...read} onClick={showFeed} />
        {config?.features.faucet && <PlayWay {...play} />}
        <Way {...connect} />
      </ul>
      <button
        type="button"
        className="icon-button intro-close"
        aria-label="Hide this introduction"
        title="Hide this introduction"
        onClick={hideIntro}
      >
        <Icon name="close" />
      </button>
    </section>
  )
}

interface WayProps {
  readonly name: string
  readonly about: string
  readonly path: string
  readonly onClick?: () => void
}

function Way({ name, about, path, onClick }: WayProps) {
  return (
    <li>
      <Link to={path} className="way" onClick={onClick}>
        <strong>{name}</strong>
        <span>{about}.</span>
      </Link>
    </li>
  )
}

/** Leads to where a share can be bought at once. */
function PlayWay(way: WayProps) {
  const { items } = useTrendingAgents(TRENDING)
  const agent = items.find(({ launchedAt }) => launchedAt !== null)
  return <Way {...way} path={agent ? `/profile/${encodeURIComponent(agent.username)}#ticket` : way.path} />
}

// On a phone the feed is below the fold, where its change would go unnoticed.
function showFeed(): void {
  requestAnimationFrame(() => document.querySelector('.home-feed')?.scrollIntoView({ block: 'start' }))
}

function hideIntro(): void {
  document.documentElement.dataset.introduced = ''
  document.getElementById('main')?.focus({ preventScroll: true })
  try {
    window.localStorage.setItem('introduced', 'yes')
  } catch {
    // Then it is hidden as long as the page is open.
  }
}
