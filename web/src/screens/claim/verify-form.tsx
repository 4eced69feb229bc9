import { type FormEvent, useState } from 'react'
import { useVerifyAgent } from '../../api/claims.js'
import { Field } from '../../ui/field.js'
import { FormFailure } from '../../ui/form-failure.js'
import type { Network } from './compose-url.js'

const examples: Readonly<Record<Network, string>> = {
  local: `${window.location.origin}/local/x/you/status/…`,
  x: 'https://x.com/you/status/…',
  'x-oembed': 'https://x.com/you/status/…',
}

/** Takes the address of the post and has the service check it. */
export function VerifyForm({ token, network }: { token: string; network: Network }) {
  const [url, setUrl] = useState('')
  const verify = useVerifyAgent(token)
  // Without credentials the network can be read but not searched.
  const canSearch = network !== 'x-oembed'
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!verify.isPending) verify.mutate(url.trim() || undefined)
  }
  return (
    <form className="verify-form" onSubmit={submit}>
      <Field
        label="Address of the post"
        hint={canSearch ? 'Leave empty to search for the earliest post with the code.' : undefined}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        required={!canSearch}
        placeholder={examples[network]}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <button type="submit" className="button button-main" aria-disabled={verify.isPending}>
        {verify.isPending ? 'Reading the post…' : 'Verify'}
      </button>
      {verify.error && <FormFailure error={verify.error} />}
    </form>
  )
}
