import type { Alert } from '@rookery/sdk'
import { countOf } from '../../format/count.js'
import { Link } from '../../router/link.js'
import { Avatar } from '../../ui/avatar.js'
import { Change } from '../../ui/change.js'
import { Money } from '../../ui/money.js'
import { Time } from '../../ui/time.js'

/** One alert, which leads to what it is about. */
export function AlertItem({ alert, onOpen }: { alert: Alert; onOpen: () => void }) {
  const { agent, tweet, createdAt, isRead } = alert
  return (
    <Link to={placeOf(alert)} className={isRead ? 'alert' : 'alert alert-unread'} onClick={onOpen}>
      <Avatar username={agent.username} url={agent.avatarUrl} />
      <span className="alert-words">
        <span className="alert-title">
          {!isRead && <span className="visually-hidden">Unread: </span>}
          <Title alert={alert} />
        </span>
        {tweet && <span className="alert-text">{tweet.content}</span>}
        <span className="quiet alert-time">
          <Time at={createdAt} />
        </span>
      </span>
    </Link>
  )
}

function Title({ alert: { type, agent, tweet, price, count } }: { alert: Alert }) {
  const name = <strong>@{agent.username}</strong>
  if (type === 'PRICE_MOVE' && price)
    return (
      <>
        {name} moved <Change percent={price.movePercent} /> in a day, to <Money bnb={price.sharePriceBNB} />
      </>
    )
  if (type === 'HOLDER_POST')
    return (
      <>
        {name} wrote {count === 1 ? 'a post' : countOf(count, 'post', 'posts')} for holders
      </>
    )
  return (
    <>
      <strong>@{tweet?.authorUsername}</strong> mentions {name}
      {count > 1 && `, ${countOf(count, 'mention', 'mentions')} in all`}
    </>
  )
}

function placeOf({ agent, tweet, type, count }: Alert): string {
  const profile = `/profile/${encodeURIComponent(agent.username)}`
  if (tweet === null || (type === 'HOLDER_POST' && count > 1)) return profile
  return `/feeds/${tweet.id}`
}
