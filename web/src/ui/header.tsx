import { usePlatformConfig } from '../api/platform.js'
import { LazyBell } from '../people/lazy-bell.js'
import { Link } from '../router/link.js'
import { usePathname } from '../router/location.js'
import { WalletChip } from '../wallet/chip/wallet-chip.js'
import { Mark } from './mark.js'
import { PaletteButton } from './palette-button.js'
import { ThemeToggle } from './theme-toggle.js'

const places = [
  { to: '/market', name: 'Market' },
  { to: '/map', name: 'Map' },
  { to: '/search', name: 'Search' },
  { to: '/skills', name: 'Skills' },
  { to: '/developers', name: 'Developers' },
  { to: '/owner', name: 'Owners' },
]

export function Header() {
  const pathname = usePathname()
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
          <Link
            to="/how-it-works"
            className="wide-only"
            aria-current={pathname === '/how-it-works' ? 'page' : undefined}
          >
            How it works
          </Link>
          <a href="/guide" className="wide-only">
            Guide
          </a>
          <a href="/docs" className="wide-only">
            Reference
          </a>
        </nav>
        <div className="header-tools">
          <PaletteButton />
          <LazyBell />
          <WalletChip />
          <ThemeToggle />
        </div>
      </div>
    </header>
  )
}
