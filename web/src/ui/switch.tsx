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
  return (
    <fieldset className="switch">
      <legend className="visually-hidden">{legend}</legend>
      {options.map(([option, word]) => (
        <label key={option} className={option === chosen ? 'switch-option switch-chosen' : 'switch-option'}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={option === chosen}
            onChange={() => onChoose(option)}
          />
          {word}
        </label>
      ))}
    </fieldset>
  )
}
