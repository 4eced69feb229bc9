import { useEager } from './use-eager.js'

/** A few short options in a row, one of them chosen. */
export function Switch<Name extends string>({
  name,
  legend,
  options,
  chosen,
  onChoose,
}: {
  name: string
  legend: string
  options: readonly (readonly [Name, string])[]
  chosen: Name
  onChoose: (name: Name) => void
}) {
  const [shown, choose] = useEager(chosen)
  return (
    <fieldset className="switch">
      <legend className="visually-hidden">{legend}</legend>
      {options.map(([option, word]) => (
        <label key={option} className={option === shown ? 'switch-option switch-chosen' : 'switch-option'}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={option === shown}
            onChange={() => {
              choose(option)
              onChoose(option)
            }}
          />
          {word}
        </label>
      ))}
    </fieldset>
  )
}
