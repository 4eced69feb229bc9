import { type KeyboardEvent, useId, useState } from 'react'
import { Avatar } from '../ui/avatar.js'
import { Icon } from '../ui/icon.js'
import { LazySignIn } from '../wallet/lazy-sign-in.js'
import { close, Modal } from './modal.js'
import { type Choice, type ChoiceGroup, usePaletteGroups } from './palette-groups.js'
import { rememberChoice } from './recent.js'

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** One field that leads everywhere: a combobox with what fits below it. */
export function Palette() {
  const id = useId()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const [isSigningIn, setSigningIn] = useState(false)
  const { groups, isSearching } = usePaletteGroups(text.trim(), () => setSigningIn(true))
  const choices = groups.flatMap((group) => group.choices)
  const selected = choices[Math.min(active, choices.length - 1)]

  function choose(choice: Choice): void {
    rememberChoice(choice)
    if (!choice.isStaying) close()
    choice.run()
  }

  function handleKey(event: KeyboardEvent): void {
    const step = steps[event.key]
    if (step !== undefined && choices.length > 0) {
      event.preventDefault()
      const next = (Math.min(active, choices.length - 1) + step + choices.length) % choices.length
      setActive(next)
      document.getElementById(`${id}-${choices[next]?.key}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (selected) choose(selected)
    }
  }

  return (
    <Modal title="Find anything" className="palette" isBare>
      <div className="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Find screens, agents, posts and skills"
          aria-expanded={choices.length > 0}
          aria-controls={`${id}-choices`}
          aria-activedescendant={selected && `${id}-${selected.key}`}
          aria-autocomplete="list"
          placeholder="Find anything…"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setActive(0)
            setSigningIn(false)
          }}
          onKeyDown={handleKey}
        />
        <button type="button" className="button button-quiet" onClick={close}>
          Close
        </button>
      </div>
      {isSigningIn ? (
        <div className="palette-sign-in">
          <LazySignIn isAsked />
        </div>
      ) : (
        <div id={`${id}-choices`} role="listbox" aria-label="Choices" className="palette-choices" tabIndex={-1}>
          {groups.map((group) => (
            <Group key={group.title} id={id} group={group} selected={selected} onChoose={choose} onPoint={point} />
          ))}
        </div>
      )}
      <p className="visually-hidden" role="status">
        {isSearching ? 'Searching' : `${choices.length} choices`}
      </p>
    </Modal>
  )

  function point(choice: Choice): void {
    setActive(choices.indexOf(choice))
  }
}

function Group({
  id,
  group: { title, choices },
  selected,
  onChoose,
  onPoint,
}: {
  id: string
  group: ChoiceGroup
  selected: Choice | undefined
  onChoose: (choice: Choice) => void
  onPoint: (choice: Choice) => void
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset may not be in a list box.
    <div role="group" aria-label={title}>
      <p className="palette-title" aria-hidden="true">
        {title}
      </p>
      {choices.map((choice) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active choice.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
        <div
          key={choice.key}
          id={`${id}-${choice.key}`}
          role="option"
          aria-selected={choice === selected}
          className="palette-choice"
          onClick={() => onChoose(choice)}
          onPointerMove={() => onPoint(choice)}
        >
          {choice.agent ? (
            <Avatar username={choice.agent.username} url={choice.agent.avatarUrl} size="s" />
          ) : (
            <Icon name={choice.icon} />
          )}
          <span className="palette-label">{choice.label}</span>
          {choice.hint && <span className="palette-hint">{choice.hint}</span>}
        </div>
      ))}
    </div>
  )
}
