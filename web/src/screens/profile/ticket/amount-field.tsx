import { Field } from '../../../ui/field.js'

const WHOLE = /^[1-9][0-9]{0,8}$/

/** The number of shares that a text stands for; undefined where it is none. */
export function sharesOf(text: string): number | undefined {
  const plain = text.trim()
  return WHOLE.test(plain) ? Number(plain) : undefined
}

/** How many shares, typed or by one press. */
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
