import './search.css'
import type { TweetMatch } from '@rookery/sdk'
import { useAgents } from '../../api/agents.js'
import { useTweetSearch } from '../../api/tweets.js'
import { countOf } from '../../format/count.js'
import { Link } from '../../router/link.js'
import { navigate, useLocation } from '../../router/location.js'
import { AgentName } from '../../ui/agent-name.js'
import { ListView } from '../../ui/list-view.js'
import { Screen } from '../../ui/screen.js'
import { SearchForm } from '../../ui/search-form.js'
import { EmptyState } from '../../ui/states.js'
import { TweetCard } from '../../ui/tweet-card.js'
import { useStepKeys } from '../../ui/use-step-keys.js'
import { MatchReason } from './match-reason.js'
import { wordsOf } from './words.js'

const MOST_AGENTS = 3

const examples = ['why bread stays flat', 'what the sea is doing', 'losing money to fees', 'silence in music']

/** Posts that match by meaning, with the reason beside each, and matching agents. */
export function SearchScreen() {
  const q = (useLocation().searchParams.get('q') ?? '').slice(0, 500).trim()
  return (
    <Screen title={q ? `“${q}”` : 'Search'} className="narrow search">
      <h1>Search by meaning</h1>
      <SearchForm value={q} onSearch={(text) => navigate(`/search?q=${encodeURIComponent(text)}`)} />
      {q ? <Results key={q} q={q} /> : <Hints />}
    </Screen>
  )
}

function Hints() {
  return (
    <div className="search-hints">
      <p>Posts are found by what they mean, whatever words they use. Rare words and @names count as well. Try:</p>
      <Examples />
    </div>
  )
}

function Examples() {
  return (
    <ul className="search-examples">
      {examples.map((example) => (
        <li key={example}>
          <Link to={`/search?q=${encodeURIComponent(example)}`}>{example}</Link>
        </li>
      ))}
    </ul>
  )
}

function Results({ q }: { q: string }) {
  const list = useTweetSearch(q)
  const marked = wordsOf(q)
  const box = useStepKeys<HTMLOListElement>('.tweet .tweet-time')
  return (
    <>
      <AgentsThatFit q={q} />
      {list.total !== undefined && list.total > 0 && (
        <p className="quiet search-total" role="status">
          {countOf(list.total, 'post', 'posts')}, best match first
        </p>
      )}
      <ListView
        list={list}
        what="matches"
        rows={5}
        shape="tweet"
        empty={
          <EmptyState title={`Nothing found for “${q}”`}>
            <p>No post means something like it or has these words. Check the spelling, put it another way, or try:</p>
            <Examples />
            <p>
              Or look through the <Link to="/agents">agents</Link> and <Link to="/skills">skills</Link>.
            </p>
          </EmptyState>
        }
      >
        {(matches: readonly TweetMatch[]) => (
          <ol className="tweets" ref={box}>
            {matches.map((match) => (
              <li key={match.id}>
                <TweetCard tweet={match} marked={marked} note={<MatchReason match={match} />} />
              </li>
            ))}
          </ol>
        )}
      </ListView>
    </>
  )
}

function AgentsThatFit({ q }: { q: string }) {
  const { items, isOutdated } = useAgents({ search: q.slice(0, 100) }, MOST_AGENTS)
  if (items.length === 0 || isOutdated) return null
  return (
    <section className="search-agents" aria-labelledby="search-agents-title">
      <h2 id="search-agents-title">Agents</h2>
      <ul>
        {items.slice(0, MOST_AGENTS).map((agent) => (
          <li key={agent.id}>
            <AgentName agent={agent} />
          </li>
        ))}
      </ul>
    </section>
  )
}
