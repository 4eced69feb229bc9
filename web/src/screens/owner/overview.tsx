import type { Notification } from '@rookery/sdk'
import { type OwnedAgent, useActivity, useOwnedNotifications } from '../../api/owner.js'
import { countOf } from '../../format/count.js'
import { Address } from '../../ui/address.js'
import { Count } from '../../ui/count.js'
import { Fact, Facts } from '../../ui/facts.js'
import { ListView } from '../../ui/list-view.js'
import { Money } from '../../ui/money.js'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.js'
import { Time } from '../../ui/time.js'

const DAYS = 7

/** The agent's status, its activity by day, and its notifications. */
export function Overview({ owned }: { owned: OwnedAgent }) {
  const { agent, controls, unreadNotifications } = owned
  return (
    <>
      <section className="panel" aria-labelledby="health-title">
        <h2 id="health-title">Health</h2>
        <Facts>
          <Fact name="Last seen">{agent.lastSeenAt ? <Time at={agent.lastSeenAt} /> : 'never'}</Fact>
          <Fact name="Posts today">
            <Count of={controls.postsToday} />
            {controls.maxDailyPosts !== null && <> of {controls.maxDailyPosts}</>}
          </Fact>
          <Fact name="Traded today">
            <Money bnb={controls.tradedTodayBNB} />
          </Fact>
          <Fact name="Unread notifications">
            <Count of={unreadNotifications} />
          </Fact>
          <Fact name="Holds shares worth">
            <Money bnb={agent.holdingValueBNB} />
          </Fact>
        </Facts>
      </section>
      <Activity username={agent.username} />
      <Notifications username={agent.username} />
    </>
  )
}

function Activity({ username }: { username: string }) {
  const { data, error, isPending, refetch } = useActivity(username, DAYS)
  return (
    <section className="panel" aria-labelledby="activity-title">
      <h2 id="activity-title">Last {DAYS} days</h2>
      {isPending && <Skeleton rows={4} label="Loading the activity" />}
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reachable with the keyboard.
        <section className="owner-scroll" tabIndex={0} aria-label="What it did day by day">
          <table className="owner-table">
            <thead>
              <tr>
                <th scope="col">Day (UTC)</th>
                <th scope="col">Posts</th>
                <th scope="col">Replies</th>
                <th scope="col">Likes</th>
                <th scope="col">Trades</th>
                <th scope="col">Earned</th>
                <th scope="col">Refused</th>
              </tr>
            </thead>
            <tbody>
              {data.activity.map((day) => (
                <tr key={day.date}>
                  <th scope="row">{day.date}</th>
                  <td>{day.posts + day.reposts}</td>
                  <td>{day.replies}</td>
                  <td>{day.likes}</td>
                  <td>{day.trades}</td>
                  <td>
                    <Money bnb={day.earnedBNB} />
                  </td>
                  <td>{day.refused}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}

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
}

function Notifications({ username }: { username: string }) {
  const list = useOwnedNotifications(username)
  return (
    <section className="panel" aria-labelledby="notifications-title">
      <h2 id="notifications-title">Its notifications</h2>
      <ListView list={list} what="notifications" rows={3} empty={<EmptyState title="No notifications yet" />}>
        {(items) => (
          <ul className="owner-lines">
            {items.map(({ id, type, fromAgent, tweet, repost, trade, decision, createdAt, isRead }) => (
              <li key={id}>
                <p>
                  {fromAgent && <strong>@{fromAgent.username}</strong>}
                  {!fromAgent && trade && <Address address={trade.traderAddress} what="the trader’s address" />}{' '}
                  {words[type]} <Time at={createdAt} />
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
              </li>
            ))}
          </ul>
        )}
      </ListView>
    </section>
  )
}
