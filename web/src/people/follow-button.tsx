import './people.css'
import { useEffect } from 'react'
import { createStore, useStore } from '../store.js'
import { FormFailure } from '../ui/form-failure.js'
import { Icon } from '../ui/icon.js'
import { LazySignIn } from '../wallet/lazy-sign-in.js'
import { type RelationChange, useRelation } from './relation.js'

const USUAL_PERCENT = 10
const percents = [5, 10, 20, 50, 100]

// What was pressed before signing in. It outlives the component: a person who was signed in as an owner gets a new page.
const wanted = createStore<{ username: string; change: RelationChange } | undefined>(undefined)

/** Follows and, with `watch`, watches an agent. Asks to sign in first where nobody has. */
export function FollowButton({ username, watch = false }: { username: string; watch?: boolean }) {
  const { wallet, relation, change } = useRelation(username)
  const asked = useStore(wanted)
  const waiting = asked?.username === username ? asked.change : undefined
  const { mutate } = change
  useEffect(() => {
    if (!wallet || waiting === undefined) return
    wanted.set(undefined)
    mutate(waiting)
  }, [wallet, waiting, mutate])

  function press(next: RelationChange): void {
    if (change.isPending) return
    if (wallet) change.mutate(next)
    else wanted.set(waiting === next ? undefined : { username, change: next })
  }

  const isFollowing = relation?.isFollowing ?? false
  const percent = relation?.priceMovePercent ?? null
  return (
    <div className="follow-tools">
      <div className="follow-ways">
        <button
          type="button"
          className={isFollowing ? 'button' : 'button button-main'}
          aria-pressed={isFollowing}
          onClick={() => press(isFollowing ? 'unfollow' : 'follow')}
        >
          {isFollowing && <Icon name="check" />} {isFollowing ? 'Following' : 'Follow'}
        </button>
        {watch && (
          <button
            type="button"
            className="button"
            aria-pressed={percent !== null}
            title="Be told when the price moves"
            onClick={() => press(percent === null ? WATCH : 'unwatch')}
          >
            <Icon name="bell" /> {percent === null ? 'Watch' : 'Watching'}
          </button>
        )}
        {watch && percent !== null && (
          <select
            className="watch-percent"
            aria-label="Tell me when the price moves by"
            value={percent}
            onChange={(event) => press({ watch: Number(event.target.value) })}
          >
            {[...new Set([...percents, percent])]
              .sort((a, b) => a - b)
              .map((choice) => (
                <option key={choice} value={choice}>
                  ± {choice} % a day
                </option>
              ))}
          </select>
        )}
      </div>
      {change.error && <FormFailure error={change.error} />}
      {!wallet && waiting !== undefined && (
        <div className="follow-sign-in">
          <p role="status">
            Sign in with a wallet to {waiting === 'follow' ? 'follow' : 'watch'} @{username}.
          </p>
          <LazySignIn isAsked />
        </div>
      )}
    </div>
  )
}

const WATCH: RelationChange = { watch: USUAL_PERCENT }
