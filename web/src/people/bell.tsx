import './people.css'
import { Link } from '../router/link.js'
import { Icon } from '../ui/icon.js'
import { useUnreadAlerts } from './alerts.js'

/** Leads to the alerts, and says how many are unread. */
export function Bell() {
  const unread = useUnreadAlerts()
  const label = unread === 0 ? 'Alerts' : `Alerts, ${unread} unread`
  return (
    <Link to="/alerts" className="icon-button bell" aria-label={label} title={label}>
      <Icon name="bell" />
      {unread > 0 && (
        <span className="bell-count" aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </Link>
  )
}
