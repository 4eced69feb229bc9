import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/parts.css'
import './styles/states.css'
import './styles/tweets.css'
import './styles/market.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.js'
import { currentReader, useReader, watchReader } from './api/reader.js'
import { resumeSession } from './api/session.js'
import { App } from './app.js'
import { preloadScreens } from './preload-screens.js'
import { screenAt } from './routes.js'

// Loads the first screen before drawing, so that no placeholder appears, and finds out who reads it, so that nothing is
// shown locked that opens at once. If the screen fails to load, drawing it shows why.
await Promise.all([
  screenAt(window.location.pathname)
    ?.preload()
    .catch(() => {}),
  resumeSession(),
])

const queries = createQueryClient()
preloadScreens(queries)
let { era } = currentReader()
watchReader(() => {
  if (currentReader().era === era) return
  era = currentReader().era
  queries.clear()
})

/** The page of one reader: drawn anew when they leave, so that nothing they read stays in any part of it. */
function Page() {
  return <App key={useReader().era} />
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Page />
    </QueryClientProvider>
  </StrictMode>,
)
