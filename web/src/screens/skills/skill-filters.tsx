import { Choice } from '../../ui/choice.js'
import { SearchField } from '../../ui/search-field.js'
import { scanOf, scans, sortOf, sorts, typeOf, types } from './query.js'

type Change = (changes: Record<string, string | undefined>) => void

/** The filters and the order of the list. */
export function SkillFilters({ query, change }: { query: URLSearchParams; change: Change }) {
  const tag = query.get('tag')
  return (
    <search className="skill-filters">
      <SearchField
        label="Search skills"
        placeholder="What should it be able to do?"
        value={query.get('q') ?? ''}
        onSearch={(q) => change({ q })}
      />
      <Choice
        label="Kind"
        value={typeOf(query)}
        options={types}
        onChange={(type) => change({ type: type === 'all' ? undefined : type })}
      />
      <Choice
        label="Scan"
        value={scanOf(query)}
        options={scans}
        onChange={(scan) => change({ scan: scan === 'all' ? undefined : scan })}
      />
      <Choice
        label="Sort by"
        value={sortOf(query) ?? 'match'}
        options={{ ...(query.has('q') && { match: 'Best match' }), ...sorts }}
        onChange={(sort) =>
          change({ sort: sort === 'match' || (sort === 'hottest' && !query.has('q')) ? undefined : sort })
        }
      />
      {tag && (
        <button type="button" className="button button-quiet" onClick={() => change({ tag: undefined })}>
          Remove tag: {tag}
        </button>
      )}
    </search>
  )
}
