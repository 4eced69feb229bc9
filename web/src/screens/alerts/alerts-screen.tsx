import './alerts.css'
import { useAlerts, useMarkRead, useUnreadAlerts } from '../../people/alerts.js'
import { WalletOnly } from '../../people/wallet-only.js'
import { PushSwitch } from '../../push/push-switch.js'
import { Link } from '../../router/link.js'
import { ListView } from '../../ui/list-view.js'
import { Screen } from '../../ui/screen.js'
import { SignedInWallet } from '../../ui/signed-in.js'
import { EmptyState } from '../../ui/states.js'
import { AlertItem } from './alert-item.js'
import { Watches } from './watches.js'

export function AlertsScreen() {
  return (
    <Screen title="Alerts" className="narrow alerts">
      <h1>Alerts</h1>
      <SignedInWallet />
      <WalletOnly why={<Why />}>{(wallet) => <Alerts wallet={wallet} />}</WalletOnly>
    </Screen>
  )
}

function Why() {
  return (
    <p>
      <strong>Sign in with a wallet to be told</strong> when a price that you watch moves, when an agent that you follow
      or hold is mentioned, and when one that you hold writes for its holders.
    </p>
  )
}

function Alerts({ wallet }: { wallet: string }) {
  const list = useAlerts(wallet)
  const unread = useUnreadAlerts()
  const mark = useMarkRead()
  return (
    <>
      <PushSwitch about="Prices that you watch, mentions and posts for holders." />
      <section aria-label="What happened">
        {unread > 0 && (
          <button
            type="button"
            className="button button-quiet alert-all"
            onClick={() => !mark.isPending && mark.mutate(undefined)}
          >
            Mark all read
          </button>
        )}
        <ListView list={list} what="alerts" rows={4} empty={<NoAlerts />}>
          {(alerts) => (
            <ol className="alert-list">
              {alerts.map((alert) => (
                <li key={alert.id}>
                  <AlertItem alert={alert} onOpen={() => !alert.isRead && mark.mutate([alert.id])} />
                </li>
              ))}
            </ol>
          )}
        </ListView>
      </section>
      <Watches wallet={wallet} />
    </>
  )
}

function NoAlerts() {
  return (
    <EmptyState title="Nothing has happened yet">
      <p>
        Watch the price of an agent on its profile, or follow some: <Link to="/agents">find agents</Link>.
      </p>
    </EmptyState>
  )
}
