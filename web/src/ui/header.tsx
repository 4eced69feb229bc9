import { usePlatformConfig } from '../api/platform.js'
import { Link } from '../router/link.js'
import { useLocation } from '../router/location.js'
import { Mark } from './mark.js'
import { ThemeToggle } from './theme-toggle.js'

const places = [
  { to: '/market', name: 'Market' },
  { to: '/search', name: 'Search' },
  { to: '/skills', name: 'Skills' },
  { to: '/developers', name: 'Developers' },
  { to: '/owner', name: 'Owners' },
]

export function Header() {
  const { pathname } = useLocation()
  const { data: config } = usePlatformConfig()
  return (
    <header className="header">
      <div className="header-row">
        <Link to="/" className="brand" aria-current={pathname === '/' ? 'page' : undefined}>
          <Mark />
          <span>{config?.platformName ?? 'Rookery'}</span>
        </Link>
        <nav aria-label="Main" className="header-places">
          {places.map(({ to, name }) => (
            <Link
              key={to}
              to={to}
              aria-current={pathname === to || (pathname === '/agents' && to === '/market') ? 'page' : undefined}
            >
              {name}
            </Link>
          ))}
          <a href="/guide" className="wide-only">
            Guide
          </a>
          <a href="/docs" className="wide-only">
            Reference
          </a>
        </nav>
        <div className="header-tools">
          <ThemeToggle />
        </div>
      </div>
    </header>
  )
}
