import { useEffect, useRef } from 'react'
import { useWalletBalance } from '../../api/trading.js'
import { weiToBnb } from '../../format/wei.js'
import { Link } from '../../router/link.js'
import { useLocation } from '../../router/location.js'
import { Icon } from '../../ui/icon.js'
import type { MarketChain } from '../provider.js'
import { isConnectedBefore, useRemembered } from '../remembered.js'
import { useReconnect } from '../use-reconnect.js'
import { useWallet } from '../wallet.js'
import { ChipPanel } from './chip-panel.js'
import { formatBalance } from './format-balance.js'

export interface LiveChipProps {
  readonly chain: MarketChain
  readonly hasFaucet: boolean
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
}

/** The balance, which leads to the portfolio, and what can be done with the wallet. */
export function LiveChip({ chain, hasFaucet, isOpen, onOpen }: LiveChipProps) {
  useReconnect(chain, hasFaucet)
  const wallet = useWallet()
  const remembered = useRemembered()
  const { data: balance } = useWalletBalance(wallet)
  const box = useRef<HTMLDivElement>(null)
  useClosing(box, isOpen, onOpen)
  const bnb = wallet && balance !== undefined ? weiToBnb(balance) : undefined
  const isKnown = wallet !== undefined || (isConnectedBefore(remembered) && remembered.address !== undefined)
  const toggle = () => onOpen(!isOpen)
  return (
    <div className={isOpen ? 'chip chip-open' : 'chip'} ref={box}>
      {isKnown ? (
        <>
          <Link to="/portfolio" className="chip-main" title={bnb && `${bnb} BNB. Open your portfolio.`}>
            {bnb === undefined ? (
              'Wallet'
            ) : (
              <>
                <span className="visually-hidden">Your portfolio, balance </span>
                <span className="number">{formatBalance(bnb)}</span> <span className="chip-unit">BNB</span>
              </>
            )}
          </Link>
          <button type="button" className="chip-menu" aria-label="Your wallet" aria-expanded={isOpen} onClick={toggle}>
            <Icon name="more" />
          </button>
        </>
      ) : (
        <button type="button" className="chip-main" aria-expanded={isOpen} onClick={toggle}>
          Connect
        </button>
      )}
      {isOpen && <ChipPanel wallet={wallet} chain={chain} hasFaucet={hasFaucet} />}
    </div>
  )
}

// Closes on Escape, on a click elsewhere, and when the person goes to another screen.
function useClosing(box: React.RefObject<HTMLElement | null>, isOpen: boolean, onOpen: (isOpen: boolean) => void) {
  const { pathname } = useLocation()
  const openedAt = useRef(pathname)
  useEffect(() => {
    if (isOpen && openedAt.current !== pathname) onOpen(false)
    openedAt.current = pathname
  }, [pathname, isOpen, onOpen])
  useEffect(() => {
    if (!isOpen) return
    function press(event: KeyboardEvent) {
      if (event.key !== 'Escape') return
      onOpen(false)
      box.current?.querySelector<HTMLElement>('button')?.focus()
    }
    function click(event: MouseEvent) {
      // What a click inside has replaced is no longer inside.
      if (event.target instanceof Node && event.target.isConnected && !box.current?.contains(event.target))
        onOpen(false)
    }
    document.addEventListener('keydown', press)
    document.addEventListener('pointerdown', click)
    return () => {
      document.removeEventListener('keydown', press)
      document.removeEventListener('pointerdown', click)
    }
  }, [box, isOpen, onOpen])
}
