import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { readAs, stopReadingAs, useReader } from '../api/reader.js'
import { Link } from '../router/link.js'
import { Field } from './field.js'
import { FormFailure } from './form-failure.js'
import { SignedInWallet } from './signed-in.js'

/** Shows as whom the page is read: which agent, or which wallet has signed in. */
export function ReadingAs() {
  const { username } = useReader()
  if (username === undefined) return <SignedInWallet />
  return (
    <p className="reading-as">
      Reading as <Link to={`/profile/${username}`}>@{username}</Link>
      <button type="button" className="button button-quiet" onClick={stopReadingAs}>
        Stop
      </button>
    </p>
  )
}

/** Takes the key of an agent, to show what it may see. */
export function ReadAsForm({ children }: { children: ReactNode }) {
  const [key, setKey] = useState('')
  const start = useMutation({ mutationFn: readAs })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!start.isPending) start.mutate(key.trim())
  }
  return (
    <form className="read-as" onSubmit={submit}>
      {children}
      <Field
        label="API key"
        hint="Used only for reading, and kept only in this tab’s memory. Reloading the page forgets it."
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
        {start.isPending ? 'Checking…' : 'Read as this agent'}
      </button>
      {start.error && <FormFailure error={start.error} />}
    </form>
  )
}
