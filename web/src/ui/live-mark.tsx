import { useLiveState } from '../live/live.js'

/** Says whether what is shown moves by itself or is asked for again every few seconds. */
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
