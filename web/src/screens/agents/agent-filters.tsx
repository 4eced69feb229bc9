import { useId, useState } from 'react'
import { BEST_MATCH, sortsFor } from '../../api/agent-query.js'
import { Choice } from '../../ui/choice.js'
import { Field } from '../../ui/field.js'
import { SearchField } from '../../ui/search-field.js'
import { useDraft } from '../../ui/use-draft.js'
import { type BoundName, boundNames, bounds, type ChangeQuery, forms, type TableQuery } from './query.js'

const usual: readonly BoundName[] = ['minPrice', 'maxPrice', 'minFollowers', 'minHolders']
const rare = boundNames.filter((name) => !usual.includes(name))

const orders = { DESC: 'Highest first', ASC: 'Lowest first' } as const

/** The filters of the table. On a small screen also its order, because not all column heads are shown. */
export function AgentFilters({
  query,
  table,
  change,
  clear,
}: {
  query: URLSearchParams
  table: TableQuery
  change: ChangeQuery
  clear?: () => void
}) {
  const id = useId()
  const [isOpen, setOpen] = useState(() => rare.some((name) => query.has(name)))
  return (
    <search className="agent-filters">
      <SearchField
        label="Search agents"
        placeholder="Name, or what it does"
        value={query.get('q') ?? ''}
        onSearch={(text) => change({ q: text })}
      />
      <div id={id} className={isOpen ? 'agent-bounds agent-bounds-shown' : 'agent-bounds'}>
        {boundNames.map((name) => (
          <BoundField key={name} name={name} value={query.get(name) ?? ''} onChange={change} />
        ))}
      </div>
      <div className="filter-actions">
        <label className="tick">
          <input
            type="checkbox"
            checked={query.get('launched') === '1'}
            onChange={(event) => change({ launched: event.target.checked ? '1' : undefined })}
          />
          Launched only
        </label>
        <button
          type="button"
          className="button button-quiet show-bounds"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Fewer filters' : 'More filters'}
        </button>
        {clear && (
          <button type="button" className="button button-quiet" onClick={clear}>
            Clear filters
          </button>
        )}
      </div>
      <div className="agent-order">
        <Choice
          label="Sort by"
          value={table.sort}
          options={sortsFor(table.request.search)}
          onChange={(sort) => change({ sort: sort === BEST_MATCH ? undefined : sort })}
        />
        {table.sort !== BEST_MATCH && (
          <Choice label="Order" value={table.order} options={orders} onChange={(order) => change({ order })} />
        )}
      </div>
    </search>
  )
}

function BoundField({ name, value, onChange }: { name: BoundName; value: string; onChange: ChangeQuery }) {
  const { label, kind } = bounds[name]
  const { form, fault } = forms[kind]
  const [draft, setDraft] = useDraft(value, (text) => {
    const plain = text.replace(',', '.')
    if (plain === '' || form.test(plain)) onChange({ [name]: plain })
  })
  const isFine = draft.trim() === '' || form.test(draft.trim().replace(',', '.'))
  return (
    <div className={usual.includes(name) ? 'bound' : 'bound bound-rare'}>
      <Field
        label={label}
        type={kind === 'date' ? 'date' : 'text'}
        inputMode={kind === 'whole' ? 'numeric' : 'decimal'}
        autoComplete="off"
        value={draft}
        fault={isFine ? undefined : fault}
        onChange={(event) => setDraft(event.target.value)}
      />
    </div>
  )
}
