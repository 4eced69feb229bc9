import './chip.css'
import { type FunctionComponent, useEffect, useState } from 'react'
import { usePlatformConfig } from '../../api/platform.js'
import { Link } from '../../router/link.js'
import { createStore, useStore } from '../../store.js'
import { isConnectedBefore, useRemembered } from '../remembered.js'
import type { LiveChipProps } from './live-chip.js'

const loaded = createStore<FunctionComponent<LiveChipProps> | undefined>(undefined)

async function load(): Promise<void> {
  if (!loaded.get()) loaded.set((await import('./live-chip.js')).LiveChip)
}

/** The wallet of the person who reads, in the head of every screen. What it needs is loaded once there is a wallet, or on demand. */
export function WalletChip() {
  const { data: config } = usePlatformConfig()
  const hasWallet = isConnectedBefore(useRemembered())
  const LiveChip = useStore(loaded)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (hasWallet) return whenIdle(() => void load().catch(() => {}))
  }, [hasWallet])

  if (!config?.chain) return null
  if (LiveChip)
    return <LiveChip chain={config.chain} hasFaucet={config.features.faucet} isOpen={isOpen} onOpen={setOpen} />
  if (hasWallet)
    return (
      <div className="chip">
        <Link to="/portfolio" className="chip-main">
          Wallet
        </Link>
      </div>
    )
  // If the code does not arrive, the next click tries again.
  function connect() {
    setOpen(true)
    load().catch(() => setOpen(false))
  }
  return (
    <div className="chip">
      <button type="button" className="chip-main" aria-expanded={isOpen} onClick={connect}>
        Connect
      </button>
    </div>
  )
}

const LATEST_MS = 2000

// Safari has no idle callbacks.
function whenIdle(work: () => void): () => void {
  if (!window.requestIdleCallback) {
    const timer = setTimeout(work, LATEST_MS / 4)
    return () => clearTimeout(timer)
  }
  const handle = window.requestIdleCallback(work, { timeout: LATEST_MS })
  return () => window.cancelIdleCallback(handle)
}
