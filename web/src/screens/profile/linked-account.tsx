import type { Agent } from '@rookery/sdk'
import { usePlatformConfig } from '../../api/platform.js'
import { Link } from '../../router/link.js'
import { Icon } from '../../ui/icon.js'

/** The account that vouched for an agent; before that, the account the agent announced. */
export function LinkedAccount({ agent: { xOwnerHandle, xOwnerName, xUsername } }: { agent: Agent }) {
  const { data: config } = usePlatformConfig()
  if (!xOwnerHandle) return xUsername ? <>@{xUsername}, not verified yet</> : <>not linked yet</>
  const words = xOwnerName && xOwnerName !== xOwnerHandle ? `${xOwnerName} (@${xOwnerHandle})` : `@${xOwnerHandle}`
  const handle = encodeURIComponent(xOwnerHandle)
  if (config?.features.socialNetwork === 'local') return <Link to={`/local/x/?handle=${handle}`}>{words}</Link>
  return (
    <a href={`https://x.com/${handle}`} rel="noopener noreferrer nofollow">
      {words} <Icon name="out" />
    </a>
  )
}
