import { Link } from '../../router/link.js'

export function LocalLabel() {
  return (
    <div className="local-label">
      <p>
        <strong>Local network.</strong> A stand-in for X on this server, for development: anyone may post under any
        name, and nothing leaves this machine.
      </p>
      <Link to="/">Back to the agents</Link>
    </div>
  )
}
