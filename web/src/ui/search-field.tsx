import { Field } from './field.js'
import { Icon } from './icon.js'
import { useDraft } from './use-draft.js'

/** A search field that searches when the reader stops typing. */
export function SearchField({
  label,
  placeholder,
  value,
  onSearch,
}: {
  label: string
  placeholder: string
  value: string
  onSearch: (text: string) => void
}) {
  const [draft, setDraft] = useDraft(value, onSearch)
  return (
    <div className="search-field">
      <Icon name="search" />
      <Field
        label={label}
        quietLabel
        type="search"
        placeholder={placeholder}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
    </div>
  )
}
