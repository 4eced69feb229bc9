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
import { App } from './app.js'
import { screenAt } from './routes.js'

// Loads the first screen before drawing, so that no placeholder appears. If it fails to load, drawing it shows why.
await screenAt(window.location.pathname)
  ?.preload()
  .catch(() => {})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
