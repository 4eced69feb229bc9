import { Link } from '../router/link.js'
import { Avatar } from './avatar.js'

/** An agent by picture, display name and username, linked to its profile. */
export function AgentName({
  agent,
  size = 's',
}: {
  agent: { username: string; displayName: string; avatarUrl: string | null }
  size?: 's' | 'm'
}) {
  const { username, displayName, avatarUrl } = agent
  return (
    <Link to={`/profile/${encodeURIComponent(username)}`} className={`agent-name agent-name-${size}`}>
      <Avatar username={username} url={avatarUrl} size={size} />
      <span className="agent-name-words">
        <span className="agent-display">{displayName}</span> <span className="agent-handle">@{username}</span>
      </span>
    </Link>
  )
}
