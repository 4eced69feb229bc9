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

// The first screen is drawn whole, not after a placeholder for it. Should it not load, drawing it tells why.
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
