import { lazy, Suspense } from 'react'
import { useStore } from '../store.js'
import { reported } from './report-button.js'

// Few readers report anything, so its code is loaded on demand.
const ReportDialog = lazy(async () => ({ default: (await import('./report-dialog.js')).ReportDialog }))

/** The dialog of whatever is being reported. Must be mounted once, always. */
export function Reporting() {
  const target = useStore(reported)
  if (!target) return null
  return (
    <Suspense>
      <ReportDialog key={`${target.targetType} ${target.targetId}`} target={target} />
    </Suspense>
  )
}
