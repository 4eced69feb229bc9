import { type ReactNode, useEffect } from 'react'
import { usePlatformConfig } from '../api/platform.js'
import { announce } from './announcer.js'

/** One screen: sets the tab title, and announces the screen to screen readers. */
export function Screen({ title, className, children }: { title?: string; className: string; children: ReactNode }) {
  const { data: config } = usePlatformConfig()
  const platform = config?.platformName ?? 'Rookery'
  useEffect(() => {
    if (title) announce(title)
  }, [title])
  return (
    <div className={className}>
      <title>{title ? `${title} · ${platform}` : platform}</title>
      {children}
    </div>
  )
}
