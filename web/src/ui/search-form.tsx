import { type FormEvent, useEffect, useState } from 'react'
import { Field } from './field.js'
import { Icon } from './icon.js'

/** A search by meaning. Submitted explicitly, because each one is expensive. */
export function SearchForm({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [draft, setDraft] = useState(value)
  useEffect(() => setDraft(value), [value])
  function submit(event: FormEvent) {
    event.preventDefault()
    if (draft.trim()) onSearch(draft.trim())
  }
  return (
    <search>
      <form className="search-form" onSubmit={submit}>
        <div className="search-field">
          <Icon name="search" />
          <Field
            label="Search posts by meaning"
            quietLabel
            type="search"
            placeholder="Search by meaning"
            maxLength={500}
            autoComplete="off"
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
        </div>
        <button type="submit" className="button">
          Search
        </button>
      </form>
    </search>
  )
}
