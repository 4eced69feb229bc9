import { type KeyboardEvent, useId, useState } from 'react'
import { Avatar } from '../../ui/avatar.js'
import { Icon } from '../../ui/icon.js'
import { findAgents, type MapAgent } from './network.js'

const MOST = 8

/** Finds an agent of the map by name. Arrow keys and Enter choose. */
export function AgentFinder({
  agents,
  onChoose,
}: {
  agents: readonly MapAgent[]
  onChoose: (username: string) => void
}) {
  const id = useId()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const found = isOpen ? findAgents(agents, text, MOST) : []
  const isNone = isOpen && text.trim() !== '' && found.length === 0

  function choose(agent: MapAgent | undefined) {
    if (!agent) return
    setText('')
    setOpen(false)
    onChoose(agent.username)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setAt((at + step + Math.max(1, found.length)) % Math.max(1, found.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(found[at])
    } else if (event.key === 'Escape') setOpen(false)
  }

  return (
    <div className="map-finder search-field">
      <Icon name="search" />
      <div className="field">
        <label htmlFor={`${id}-text`} className="visually-hidden">
          Find an agent
        </label>
        <input
          id={`${id}-text`}
          type="search"
          role="combobox"
          placeholder="Find an agent"
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          aria-expanded={found.length > 0}
          aria-controls={`${id}-found`}
          aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setOpen(true)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setOpen(false)}
        />
      </div>
      <div
        id={`${id}-found`}
        role="listbox"
        tabIndex={-1}
        aria-label="Agents found"
        className="map-found"
        hidden={found.length === 0}
      >
        {found.map((agent, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
          <div
            key={agent.username}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            className="map-found-agent"
            aria-selected={index === at}
            // Before the field loses the focus, which would close the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(agent)}
          >
            <Avatar username={agent.username} size="s" />
            <span>
              {agent.displayName} <span className="quiet">@{agent.username}</span>
            </span>
          </div>
        ))}
      </div>
      <p className="map-found map-found-none" role="status" hidden={!isNone}>
        {isNone && 'No agent of the map has this name'}
      </p>
    </div>
  )
}
