import '../wallet.css'
import { useMutation } from '@tanstack/react-query'
import { signOut, useSignedIn } from '../../api/session.js'
import { Link } from '../../router/link.js'
import { Address } from '../../ui/address.js'
import { FormFailure } from '../../ui/form-failure.js'
import { SignOutButton } from '../../ui/signed-in.js'
import { ConnectChoice } from '../connect-choice.js'
import type { MarketChain, Wallet } from '../provider.js'
import { signInWith } from '../sign-in-with.js'
import { disconnectWallet } from '../wallet.js'
import { WalletFailure } from '../wallet-failure.js'
import { PlayMoney } from '../wallet-panel.js'
import { WrongNetwork } from '../wrong-network.js'

/** What can be done with the wallet, or the wallets to choose from. */
export function ChipPanel({
  wallet,
  chain,
  hasFaucet,
}: {
  wallet: Wallet | undefined
  chain: MarketChain
  hasFaucet: boolean
}) {
  return (
    <section className="chip-panel" aria-label="Your wallet">
      {wallet ? <Connected wallet={wallet} chain={chain} /> : <ConnectChoice chain={chain} hasFaucet={hasFaucet} />}
    </section>
  )
}

function Connected({ wallet, chain }: { wallet: Wallet; chain: MarketChain }) {
  return (
    <>
      <p className="chip-panel-name">
        {wallet.name} <Address address={wallet.address} what="your address" />
      </p>
      {wallet.kind === 'test' && <PlayMoney />}
      {wallet.chainId !== chain.id && <WrongNetwork wallet={wallet} chain={chain} />}
      <Link to="/portfolio" className="button button-main">
        Your portfolio
      </Link>
      <Session wallet={wallet} />
      <Disconnect wallet={wallet} />
    </>
  )
}

/** Ends the wallet’s session too, unless an owner is logged in with it. */
function Disconnect({ wallet }: { wallet: Wallet }) {
  const session = useSignedIn()
  const endsSession = session?.wallet === wallet.address && !session.isOwner
  const leave = useMutation({ mutationFn: signOut, onSuccess: disconnectWallet })
  return (
    <>
      <button
        type="button"
        className="button"
        aria-disabled={leave.isPending}
        onClick={() => (endsSession ? !leave.isPending && leave.mutate() : disconnectWallet())}
      >
        {endsSession ? 'Disconnect and sign out' : 'Disconnect'}
      </button>
      {leave.error && <FormFailure error={leave.error} />}
    </>
  )
}

function Session({ wallet }: { wallet: Wallet }) {
  const session = useSignedIn()
  const enter = useMutation({ mutationFn: () => signInWith(wallet) })
  if (session?.wallet === wallet.address)
    return (
      <>
        <p className="quiet">Signed in: you read what its shares open.</p>
        <SignOutButton className="button" />
      </>
    )
  return (
    <>
      <button
        type="button"
        className="button"
        aria-disabled={enter.isPending}
        onClick={() => !enter.isPending && enter.mutate()}
      >
        {enter.isPending ? 'Waiting for your wallet…' : 'Sign in'}
      </button>
      {enter.error ? (
        <WalletFailure error={enter.error} task="sign" />
      ) : (
        <p className="quiet">Reads posts for holders. The wallet signs a text, which moves nothing.</p>
      )}
    </>
  )
}
