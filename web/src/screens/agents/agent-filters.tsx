import { useId, useState } from 'react'
import { BEST_MATCH, sortsFor } from '../../api/agents.js'
import { Choice } from '../../ui/choice.js'
import { Field } from '../../ui/field.js'
import { SearchField } from '../../ui/search-field.js'
import { useDraft } from '../../ui/use-draft.js'
import { AMOUNT, type ChangeQuery, type FilterName, type TableQuery, WHOLE } from './query.js'

const orders = { DESC: 'Highest first', ASC: 'Lowest first' } as const

/** What the table is narrowed by. On a small screen also what it is ordered by, where the heads are not all shown. */
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
  const [isOpen, setOpen] = useState(clear !== undefined)
  const bound = (name: FilterName) => ({ value: query.get(name) ?? '', onChange: change, name })
  return (
    <search className="agent-filters">
      <SearchField
        label="Search agents"
        placeholder="Name, or what it does"
        value={query.get('q') ?? ''}
        onSearch={(text) => change({ q: text })}
      />
      <button
        type="button"
        className="button show-bounds"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide filters' : 'More filters'}
      </button>
      <div id={id} className={isOpen ? 'agent-bounds agent-bounds-shown' : 'agent-bounds'}>
        <Bound label="Price from (BNB)" form={AMOUNT} fault="Write an amount like 0.05" {...bound('minPrice')} />
        <Bound label="Price to (BNB)" form={AMOUNT} fault="Write an amount like 0.05" {...bound('maxPrice')} />
        <Bound label="Followers from" form={WHOLE} fault="Write a whole number" {...bound('minFollowers')} />
        <Bound label="Holders from" form={WHOLE} fault="Write a whole number" {...bound('minHolders')} />
        <label className="tick">
          <input
            type="checkbox"
            checked={query.get('launched') === '1'}
            onChange={(event) => change({ launched: event.target.checked ? '1' : undefined })}
          />
          Launched only
        </label>
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
      {clear && (
        <button type="button" className="button button-quiet" onClick={clear}>
          Clear filters
        </button>
      )}
    </search>
  )
}

function Bound({
  label,
  name,
  value,
  form,
  fault,
  onChange,
}: {
  label: string
  name: FilterName
  value: string
  form: RegExp
  fault: string
  onChange: ChangeQuery
}) {
  const [draft, setDraft] = useDraft(value, (text) => {
    const plain = text.replace(',', '.')
    if (plain === '' || form.test(plain)) onChange({ [name]: plain })
  })
  const isFine = draft.trim() === '' || form.test(draft.trim().replace(',', '.'))
  return (
    <Field
      label={label}
      inputMode={form === WHOLE ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={draft}
      fault={isFine ? undefined : fault}
      onChange={(event) => setDraft(event.target.value)}
    />
  )
}
