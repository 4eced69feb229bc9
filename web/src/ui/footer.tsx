import { useHealth, usePlatformConfig } from '../api/platform.js'
import { useSignedIn } from '../api/session.js'
import { Link } from '../router/link.js'

export function Footer() {
  const { data: config } = usePlatformConfig()
  const health = useHealth()
  const { isModerator } = useSignedIn() ?? {}
  const state = health.isError ? 'unreachable' : health.data?.status
  return (
    <footer className="footer">
      <div className="footer-row">
        <p>
          {config && (
            <>
              {config.platformName} {config.version}
            </>
          )}
          {state && (
            <Link to="/status" className={`service service-${state}`}>
              Service {state === 'ok' ? 'up' : state}
            </Link>
          )}
        </p>
        <nav aria-label="More">
          {isModerator && <Link to="/moderation">Moderation</Link>}
          <Link to="/how-it-works">How it works</Link>
          <Link to="/status">Status</Link>
          <a href="/guide">Guide</a>
          <a href="/docs">Reference</a>
          <a href="/openapi.json">OpenAPI</a>
          {config?.features.socialNetwork === 'local' && <Link to="/local/x/">Local network</Link>}
        </nav>
      </div>
    </footer>
  )
}
