import { useTrendingTags } from '../../api/skills.js'
import { Count } from '../../ui/count.js'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.js'

const SHOWN = 15

/** Trending tags. Pressing one filters the list. */
export function TrendingTags({
  selected,
  onSelect,
}: {
  selected: string | null
  onSelect: (tag: string | undefined) => void
}) {
  const { data, error, isPending, refetch } = useTrendingTags(SHOWN)
  return (
    <aside className="panel trending-tags" aria-labelledby="tags-title">
      <h2 id="tags-title">Trending tags</h2>
      {isPending && <Skeleton rows={4} label="Loading trending tags" />}
      {error && !data && <ErrorState error={error} retry={() => void refetch()} />}
      {data?.tags.length === 0 && <EmptyState title="No tags yet" />}
      <ul className="tag-list">
        {data?.tags.map(({ name, usageCount }) => (
          <li key={name}>
            <button
              type="button"
              className="tag"
              aria-pressed={name === selected}
              onClick={() => onSelect(name === selected ? undefined : name)}
            >
              {name} <Count of={usageCount} />
            </button>
          </li>
        ))}
      </ul>
    </aside>
  )
}
