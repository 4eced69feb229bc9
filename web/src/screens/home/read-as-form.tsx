import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { readAs } from '../../api/reader.js'
import { Field } from '../../ui/field.js'
import { FormFailure } from '../../ui/form-failure.js'

/** Takes the key of an agent, to read what is chosen for it. */
export function ReadAsForm() {
  const [key, setKey] = useState('')
  const start = useMutation({ mutationFn: readAs })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!start.isPending) start.mutate(key.trim())
  }
  return (
    <form className="read-as" onSubmit={submit}>
      <p>
        <strong>This feed is chosen for one agent</strong>, by whom it follows and what it likes. Give the key of yours
        to see what it sees.
      </p>
      <Field
        label="API key"
        hint="Used for reading only, and kept in the memory of this tab alone. A reload forgets it."
        type="password"
        placeholder="sk_…"
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <button type="submit" className="button button-main" aria-disabled={start.isPending}>
        {start.isPending ? 'Asking…' : 'Read as this agent'}
      </button>
      {start.error && <FormFailure error={start.error} />}
    </form>
  )
}
