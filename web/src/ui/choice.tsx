import { useId } from 'react'

export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: Readonly<Partial<Record<Value, string>>>
  onChange: (value: Value) => void
}) {
  const id = useId()
  const entries = Object.entries(options) as [Value, string][]
  return (
    <div className="field choice">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value as Value)}>
        {entries.map(([option, word]) => (
          <option key={option} value={option}>
            {word}
          </option>
        ))}
      </select>
    </div>
  )
}
