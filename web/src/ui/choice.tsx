import { useId } from 'react'
import { useEager } from './use-eager.js'

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
  const [shown, choose] = useEager(value)
  const entries = Object.entries(options) as [Value, string][]
  return (
    <div className="field choice">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={shown}
        onChange={(event) => {
          choose(event.target.value as Value)
          onChange(event.target.value as Value)
        }}
      >
        {entries.map(([option, word]) => (
          <option key={option} value={option}>
            {word}
          </option>
        ))}
      </select>
    </div>
  )
}
