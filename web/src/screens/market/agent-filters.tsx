import { useState } from 'react'
import { BEST_MATCH, sortsFor } from '../../api/agent-query.js'
import { countOf } from '../../format/count.js'
import { Choice } from '../../ui/choice.js'
import { SearchField } from '../../ui/search-field.js'
import { useEager } from '../../ui/use-eager.js'
import { BoundField } from './bound-field.js'
import { FilterPanel } from './filter-panel.js'
import { boundNames, type ChangeQuery, chosenBounds, type TableQuery } from './query.js'

const orders = { DESC: 'Highest first', ASC: 'Lowest first' } as const

/** The few filters that are always there, the way to the others, and the order. */
export function AgentFilters({
  query,
  table,
  total,
  change,
  clear,
}: {
  query: URLSearchParams
  table: TableQuery
  total: number | undefined
  change: ChangeQuery
  clear?: () => void
}) {
  const [isOpen, setOpen] = useState(false)
  const active = boundNames.filter((name) => !chosenBounds.includes(name) && query.has(name)).length
  const reorder: ChangeQuery = (changes) => change({ view: undefined, ...changes })
  return (
    <search className="agent-filters">
      <SearchField
        label="Search agents"
        placeholder="Name, or what it does"
        value={query.get('q') ?? ''}
        onSearch={(text) => change({ q: text })}
      />
      {chosenBounds.map((name) => (
        <BoundField key={name} name={name} value={query.get(name) ?? ''} change={change} />
      ))}
      <div className="agent-order">
        <Choice
          label="Sort by"
          value={table.sort}
          options={sortsFor(table.request.search)}
          onChange={(sort) => reorder({ sort: sort === BEST_MATCH ? undefined : sort, order: undefined })}
        />
        {table.sort !== BEST_MATCH && (
          <Choice
            label="Order"
            value={table.order}
            options={orders}
            onChange={(order) => reorder({ sort: table.sort, order })}
          />
        )}
      </div>
      <div className="filter-actions">
        <LaunchedOnly
          isChosen={query.get('launched') === '1'}
          onChoose={(isChosen) => change({ launched: isChosen ? '1' : undefined })}
        />
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          More filters
          {active > 0 && (
            <span className="filter-count">
              {active}
              <span className="visually-hidden"> in use</span>
            </span>
          )}
        </button>
        {clear && (
          <button type="button" className="button button-quiet" onClick={clear}>
            Clear filters
          </button>
        )}
      </div>
      {isOpen && (
        <FilterPanel
          query={query}
          change={change}
          matches={total === undefined ? undefined : countOf(total, 'agent', 'agents')}
          clear={clear}
          close={() => setOpen(false)}
        />
      )}
    </search>
  )
}

function LaunchedOnly({ isChosen, onChoose }: { isChosen: boolean; onChoose: (isChosen: boolean) => void }) {
  const [shown, choose] = useEager(isChosen)
  return (
    <label className="tick">
      <input
        type="checkbox"
        checked={shown}
        onChange={({ target }) => {
          choose(target.checked)
          onChoose(target.checked)
        }}
      />
      Launched only
    </label>
  )
}
