import { useLiveState } from '../live/live.js'

/** Says whether the page is live or polls every few seconds. */
export function LiveMark() {
  const isLive = useLiveState() === 'live'
  return (
    <span
      className={isLive ? 'live-mark live-mark-on' : 'live-mark'}
      title={isLive ? 'Changes appear as they happen.' : 'Refreshed every few seconds.'}
    >
      {isLive ? 'Live' : 'Every few seconds'}
    </span>
  )
}
