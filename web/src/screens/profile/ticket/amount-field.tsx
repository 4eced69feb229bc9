import { Field } from '../../../ui/field.js'

const WHOLE = /^[1-9][0-9]{0,8}$/

/** Parses a number of shares; undefined if the text is not one. */
export function sharesOf(text: string): number | undefined {
  const plain = text.trim()
  return WHOLE.test(plain) ? Number(plain) : undefined
}

/** The number of shares, typed or chosen with a button. */
export function AmountField({
  value,
  onChange,
  presets,
}: {
  value: string
  onChange: (text: string) => void
  presets: readonly { label: string; amount: number }[]
}) {
  const isFine = value.trim() === '' || sharesOf(value) !== undefined
  return (
    <div className="amount">
      <Field
        label="Shares"
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        value={value}
        fault={isFine ? undefined : 'Enter a whole number, 1 or more'}
        onChange={(event) => onChange(event.target.value)}
      />
      <div className="amount-presets">
        {presets.map(({ label, amount }) => (
          <button
            key={label}
            type="button"
            className="button button-quiet"
            aria-pressed={sharesOf(value) === amount}
            onClick={() => onChange(String(amount))}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  )
}
