import { Suspense } from 'react'
import { useLocation } from './router/location.js'
import { screenAt } from './routes.js'
import { NotFoundScreen } from './screens/not-found/not-found-screen.js'
import { Announcer } from './ui/announcer.js'
import { ErrorBoundary } from './ui/error-boundary.js'
import { Footer } from './ui/footer.js'
import { Header } from './ui/header.js'
import { OfflineNotice } from './ui/offline-notice.js'
import { Overlays } from './ui/overlays.js'
import { Reporting } from './ui/reporting.js'
import { Skeleton } from './ui/states.js'

/** The frame around every screen. */
export function App() {
  const { pathname } = useLocation()
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header />
      <OfflineNotice />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={pathname}>
          <Suspense fallback={<Skeleton rows={8} label="Loading the screen" />}>
            {screenAt(pathname)?.show() ?? <NotFoundScreen />}
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <Reporting />
      <Overlays />
      <Announcer />
    </>
  )
}
