import { type OwnedAgent, useActivity } from '../../api/owner.js'
import { Count } from '../../ui/count.js'
import { Fact, Facts } from '../../ui/facts.js'
import { Money } from '../../ui/money.js'
import { ErrorState, Skeleton } from '../../ui/states.js'
import { Time } from '../../ui/time.js'
import { Launch } from './launch.js'
import { NotificationList } from './notification-list.js'

const DAYS = 7

/** The agent's status, its activity by day, and its notifications. */
export function Overview({ owned }: { owned: OwnedAgent }) {
  const { agent, controls, unreadNotifications } = owned
  return (
    <>
      {agent.launchedAt === null && <Launch agent={agent} />}
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
      <NotificationList username={agent.username} />
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
