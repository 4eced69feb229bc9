import { useEffect } from 'react'
import { useFoundWallets } from './discovery.js'
import type { MarketChain } from './provider.js'
import { isConnectedBefore, TEST, useRemembered } from './remembered.js'
import { connectBrowserWallet, connectTestWallet, useWallet } from './wallet.js'

// The wallet that was tried last: one that refuses is not asked again and again.
let tried: string | undefined

/** Reconnects the wallet of the last visit, or of another tab, without asking. */
export function useReconnect(chain: MarketChain | undefined, hasFaucet: boolean): void {
  const wallet = useWallet()
  const found = useFoundWallets()
  const remembered = useRemembered()
  useEffect(() => {
    if (!isConnectedBefore(remembered)) tried = undefined
    if (!chain || wallet || !isConnectedBefore(remembered)) return
    const { id } = remembered
    if (id === null || tried === id) return
    const browserWallet = found.find((one) => one.id === id)
    if (!browserWallet && !(id === TEST && hasFaucet)) return
    tried = id
    const connecting = browserWallet
      ? connectBrowserWallet(browserWallet, { quietly: true })
      : connectTestWallet(chain.id)
    connecting.catch(() => {})
  }, [wallet, found, chain, hasFaucet, remembered])
}
