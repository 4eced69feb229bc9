import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { useEager } from './use-eager.js'

export interface Tab<Name extends string> {
  readonly name: Name
  readonly label: ReactNode
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/** Arrow keys move between the tabs. */
export function Tabs<Name extends string>({
  label,
  tabs,
  selected,
  onSelect,
  children,
}: {
  label: string
  tabs: readonly Tab<Name>[]
  selected: Name
  onSelect: (name: Name) => void
  children: ReactNode
}) {
  const id = useId()
  const bar = useRef<HTMLDivElement>(null)
  const [shown, choose] = useEager(selected)
  function select(name: Name) {
    choose(name)
    onSelect(name)
  }
  function move(event: KeyboardEvent) {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const index = (tabs.findIndex(({ name }) => name === shown) + step + tabs.length) % tabs.length
    const next = tabs[index]
    if (!next) return
    select(next.name)
    bar.current?.querySelectorAll('button')[index]?.focus()
  }
  return (
    <>
      <div ref={bar} className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ name, label }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === shown}
            aria-controls={`${id}-panel`}
            tabIndex={name === shown ? 0 : -1}
            onClick={() => select(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${shown}`}>
        {children}
      </div>
    </>
  )
}
