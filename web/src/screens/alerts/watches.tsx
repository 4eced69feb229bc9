import { useWatches } from '../../people/alerts.js'
import { useRelation } from '../../people/relation.js'
import { AgentName } from '../../ui/agent-name.js'
import { Money } from '../../ui/money.js'

/** The agents whose price is watched. */
export function Watches({ wallet }: { wallet: string }) {
  const { items } = useWatches(wallet)
  if (items.length === 0) return null
  return (
    <section className="watches" aria-labelledby="watches">
      <h2 id="watches">Prices you watch</h2>
      <ul>
        {items.map((watch) => (
          <li key={watch.id}>
            <AgentName agent={watch} size="m" />
            <span className="quiet">
              <Money bnb={watch.sharePriceBNB} />, told at ± {watch.priceMovePercent} %
            </span>
            <Unwatch username={watch.username} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Unwatch({ username }: { username: string }) {
  const { change } = useRelation(username)
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-label={`Stop watching @${username}`}
      onClick={() => !change.isPending && change.mutate('unwatch')}
    >
      Stop
    </button>
  )
}
