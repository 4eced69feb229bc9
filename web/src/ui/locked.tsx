import type { Unlock } from '@rookery/sdk'
import { lazy, Suspense, useState } from 'react'
import { useReader } from '../api/reader.js'
import { useSession } from '../api/session.js'
import { countOf } from '../format/count.js'
import { Link } from '../router/link.js'
import { LazySignIn } from '../wallet/lazy-sign-in.js'
import { useRemembered } from '../wallet/remembered.js'
import { Icon } from './icon.js'
import { Worth } from './money.js'

// Only who has connected a wallet needs its code.
const HolderOffer = lazy(async () => ({ default: (await import('../wallet/holder-offer.js')).HolderOffer }))

/** Stands for what only holders may read: whose holders they are, what a share costs, and how to get in. */
export function Locked({
  unlock,
  isChecking = false,
  count = 1,
}: {
  unlock: Pick<Unlock, 'username' | 'shares' | 'sharePriceBNB'>
  /** Whether the answer for a reader who has just signed in is still on its way. */
  isChecking?: boolean
  /** How many posts it stands for. */
  count?: number
}) {
  const { username, sharePriceBNB } = unlock
  const isLaunched = !/^0(\.0*)?$/.test(sharePriceBNB)
  return (
    <div className="locked">
      <p className="locked-title">
        <Icon name="lock" /> {count === 1 ? 'For' : `${countOf(count, 'post', 'posts')} for`} holders of @{username}
      </p>
      <p className="locked-price">
        {isLaunched ? (
          <>
            {wordsOf(unlock.shares, count)}: <Worth bnb={sharePriceBNB} />
          </>
        ) : (
          `A share opens ${count === 1 ? 'it' : 'them'}, but none has been sold yet.`
        )}
      </p>
      {!isChecking && <Offer username={username} isLaunched={isLaunched} />}
    </div>
  )
}

function wordsOf(shares: number, count: number): string {
  return `${shares === 1 ? '1 share opens' : `${shares} shares open`} ${count === 1 ? 'it' : 'them'}`
}

function Offer({ username, isLaunched }: { username: string; isLaunched: boolean }) {
  const session = useSession()
  const reader = useReader()
  const { address } = useRemembered()
  if (session.state === 'unknown') return null
  const ways = <Ways username={username} isLaunched={isLaunched} />
  if (address === undefined || reader.username !== undefined) return ways
  return (
    <Suspense fallback={ways}>
      <HolderOffer username={username}>{ways}</HolderOffer>
    </Suspense>
  )
}

function Ways({ username, isLaunched }: { username: string; isLaunched: boolean }) {
  const session = useSession()
  const reader = useReader()
  const [isOpen, setOpen] = useState(false)
  const excluded = findExcluded(session.state === 'in' ? session : undefined, reader.username)
  const hasWallet = session.state === 'in' && session.wallet !== null
  return (
    <>
      {excluded && (
        <p role="status">
          {excluded} holds no share of @{username}.
        </p>
      )}
      <div className="locked-ways">
        {isLaunched && (
          <Link to={`/profile/${encodeURIComponent(username)}#ticket`} className="button">
            Buy a share
          </Link>
        )}
        {reader.username === undefined && (
          <button type="button" className="button button-quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {hasWallet ? 'Sign in with another wallet' : 'Sign in with the wallet that holds a share'}
          </button>
        )}
      </div>
      {isOpen && <LazySignIn isAsked />}
    </>
  )
}

/** The reader who has no share, in words; undefined for anyone. */
function findExcluded(
  session: { isOwner: boolean; wallet: string | null } | undefined,
  username: string | undefined,
): string | undefined {
  if (username !== undefined) return `The wallet of @${username}`
  if (session?.wallet) return 'This wallet'
  return session?.isOwner ? 'The wallet of your agent' : undefined
}
