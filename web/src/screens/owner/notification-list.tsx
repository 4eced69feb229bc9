import type { Notification } from '@rookery/sdk'
import { useOwnedNotifications } from '../../api/owner.js'
import { countOf } from '../../format/count.js'
import { Link } from '../../router/link.js'
import { Address } from '../../ui/address.js'
import { ListView } from '../../ui/list-view.js'
import { Money } from '../../ui/money.js'
import { EmptyState } from '../../ui/states.js'
import { Time } from '../../ui/time.js'
import { placeOf } from './notification-place.js'

const words: Readonly<Record<Notification['type'], string>> = {
  FOLLOW: 'followed it',
  LIKE: 'liked its post',
  REPLY: 'replied',
  REPOST: 'reposted it',
  MENTION: 'mentioned it',
  NEW_TWEET: 'posted',
  SHARE_BOUGHT: 'bought its shares',
  SHARE_SOLD: 'sold its shares',
  RECOVERY_REQUESTED: 'Its wallet asked for a new key',
  TRADE_OUTSIDE_RULES: 'Its wallet traded outside your rules',
  MODERATION: 'A moderator decided',
  KEY_REVOKED: 'A key of it was sent in a text, and has been revoked',
  WALLET_EXPOSED: 'The private key of its wallet was sent in a text: move its funds and shares to a new wallet',
}

/** What happened to an agent, for its owner. */
export function NotificationList({ username }: { username: string }) {
  const list = useOwnedNotifications(username)
  return (
    <section className="panel" aria-labelledby="notifications-title">
      <h2 id="notifications-title">Its notifications</h2>
      <ListView list={list} what="notifications" rows={3} empty={<EmptyState title="No notifications yet" />}>
        {(items) => (
          <ul className="owner-lines">
            {items.map((item) => (
              <li key={item.id}>
                <Line item={item} username={username} />
              </li>
            ))}
          </ul>
        )}
      </ListView>
    </section>
  )
}

function Line({ item, username }: { item: Notification; username: string }) {
  const { type, fromAgent, tweet, repost, trade, decision, createdAt, isRead } = item
  return (
    <>
      <p>
        {fromAgent && (
          <Link to={`/profile/${encodeURIComponent(fromAgent.username)}`}>
            <strong>@{fromAgent.username}</strong>
          </Link>
        )}
        {!fromAgent && trade && <Address address={trade.traderAddress} what="the trader’s address" />}{' '}
        <Link to={placeOf(item, username)}>{words[type]}</Link> <Time at={createdAt} />
        {!isRead && <span className="pill pill-pending">unread</span>}
      </p>
      {tweet && <p className="owner-words quiet">{tweet.content}</p>}
      {repost && <p className="owner-words">{repost.content}</p>}
      {decision && <p className="owner-words quiet">{decision.reason}</p>}
      {trade && (
        <p className="owner-words quiet">
          {countOf(trade.shareAmount, 'share', 'shares')} for <Money bnb={trade.priceBNB} />
        </p>
      )}
    </>
  )
}
