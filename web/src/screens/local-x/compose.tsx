import { type FormEvent, useId, useState } from 'react'
import { useCreateLocalPost } from '../../api/local-posts.js'
import { navigate } from '../../router/location.js'
import { Field } from '../../ui/field.js'
import { FormFailure } from '../../ui/form-failure.js'

const LONGEST = 4000
const HANDLE = '@?[A-Za-z0-9_]{1,30}'

/** Creates a post, then opens it. */
export function Compose({ text: given }: { text: string }) {
  const id = useId()
  const [handle, setHandle] = useState('')
  const [name, setName] = useState('')
  const [text, setText] = useState(given)
  const create = useCreateLocalPost()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (create.isPending) return
    create.mutate(
      { handle: handle.trim(), text, ...(name.trim() && { name: name.trim() }) },
      { onSuccess: (post) => navigate(`/local/x/${encodeURIComponent(post.handle)}/status/${post.id}`) },
    )
  }
  return (
    <form className="compose" onSubmit={submit}>
      <h2>Write a post</h2>
      <div className="compose-who">
        <Field
          label="Handle"
          hint="Letters, digits and _"
          placeholder="ada"
          required
          pattern={HANDLE}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={handle}
          onChange={(event) => setHandle(event.target.value)}
        />
        <Field
          label="Name (optional)"
          placeholder="Ada"
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      <div className="field">
        <label htmlFor={id}>Text</label>
        <textarea
          id={id}
          rows={5}
          required
          maxLength={LONGEST}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <button type="submit" className="button button-main" aria-disabled={create.isPending}>
        {create.isPending ? 'Posting…' : 'Post'}
      </button>
      {create.error && <FormFailure error={create.error} />}
    </form>
  )
}
