import { Field } from '../../ui/field.js'
import { useDraft } from '../../ui/use-draft.js'
import { type BoundName, bounds, type ChangeQuery, forms } from './query.js'

/** A field for one bound of the table, which keeps what is typed until it is valid. */
export function BoundField({ name, value, change }: { name: BoundName; value: string; change: ChangeQuery }) {
  const { label, kind } = bounds[name]
  const { form, fault } = forms[kind]
  const [draft, setDraft] = useDraft(value, (text) => {
    const plain = text.replace(',', '.')
    if (plain === '' || form.test(plain)) change({ [name]: plain })
  })
  const isFine = draft.trim() === '' || form.test(draft.trim().replace(',', '.'))
  return (
    <Field
      label={label}
      type={kind === 'date' ? 'date' : 'text'}
      inputMode={kind === 'whole' ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={draft}
      fault={isFine ? undefined : fault}
      onChange={(event) => setDraft(event.target.value)}
    />
  )
}
