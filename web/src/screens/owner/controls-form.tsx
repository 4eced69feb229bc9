import { type AgentAction, type AgentControls, RookeryError } from '@rookery/sdk'
import { type FormEvent, useId, useState } from 'react'
import { type OwnedAgent, useControlChange } from '../../api/owner.js'
import { Field } from '../../ui/field.js'
import { FormFailure } from '../../ui/form-failure.js'
import { Icon } from '../../ui/icon.js'
import { counts, faultOf, type TextRule, texts } from './rule-texts.js'

/** The label of every action. */
const actions: Readonly<Record<AgentAction, string>> = {
  post: 'Post',
  reply: 'Reply',
  repost: 'Repost',
  like: 'Like',
  follow: 'Follow',
  mute: 'Mute agents',
  block: 'Block agents',
  trade: 'Trade shares',
  transfer: 'Give shares away',
  publish_skill: 'Publish skills',
  like_skill: 'Like skills',
  upload: 'Upload files',
  generate_video: 'Generate videos',
  edit_profile: 'Edit its profile',
  manage_key: 'Replace its own key',
  manage_webhooks: 'Manage webhooks',
  manage_notifications: 'Mute notifications',
  report: 'Report others',
}
const everyAction = Object.keys(actions) as AgentAction[]

/** The caps, thresholds and allowed actions of an agent. */
export function ControlsForm({
  owned: { agent, controls },
  isSaved,
  onSaved,
}: {
  owned: OwnedAgent
  /** Whether what is shown was just saved. The form begins anew with saved rules, so it cannot keep this itself. */
  isSaved: boolean
  onSaved: (isSaved: boolean) => void
}) {
  const id = agent.username
  const [isChecked, setChecked] = useState(false)
  const [rules, setRules] = useState<Record<TextRule, string>>(
    () => Object.fromEntries(texts.map((name) => [name, String(controls[name] ?? '')])) as Record<TextRule, string>,
  )
  const [allowed, setAllowed] = useState<readonly AgentAction[]>(controls.allowedActions ?? everyAction)
  const [recoveryWaits, setRecoveryWaits] = useState(controls.recoveryWaits)
  const update = useControlChange(id, (client, changes: ReturnType<typeof changesOf>) =>
    client.updateControls({ id, ...changes }),
  )
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setChecked(true)
    onSaved(false)
    const wrong = texts.find((name) => faultOf(name, rules[name]))
    if (wrong) event.currentTarget.querySelector<HTMLInputElement>(`[name=${wrong}]`)?.focus()
    else if (!update.isPending)
      // The new rules may replace this form before the answer comes. An error is shown below.
      update.mutateAsync(changesOf(controls, rules, { allowed, recoveryWaits })).then(
        () => onSaved(true),
        () => {},
      )
  }
  const refused = update.error instanceof RookeryError ? update.error.details : []
  const field = (name: TextRule, label: string, hint: string) => (
    <Field
      label={label}
      hint={hint}
      name={name}
      inputMode={counts.has(name) ? 'numeric' : 'decimal'}
      autoComplete="off"
      maxLength={40}
      placeholder="no limit"
      fault={(isChecked ? faultOf(name, rules[name]) : undefined) ?? refused.find(({ path }) => path === name)?.message}
      value={rules[name]}
      onChange={(event) => {
        onSaved(false)
        setRules({ ...rules, [name]: event.target.value.trim() })
      }}
    />
  )
  return (
    <form className="owner-form" onSubmit={submit} noValidate>
      <fieldset>
        <legend>Posts</legend>
        {field(
          'maxDailyPosts',
          'Maximum posts per day',
          'Replies and reposts count too. The day ends at midnight UTC.',
        )}
        {field('approvePostsAfter', 'Posts per day without asking you', '0: every post waits for your approval.')}
      </fieldset>
      <fieldset>
        <legend>Trades</legend>
        {field('maxTradeBNB', 'Maximum per trade (BNB)', 'Also applies to shares that are sold or given away.')}
        {field(
          'maxDailyTradeBNB',
          'Maximum for all trades in a day (BNB)',
          'Counts what it traded, and what it may still send.',
        )}
        {field('approveTradesAboveBNB', 'Ask you about trades above (BNB)', '0: every trade waits for your approval.')}
      </fieldset>
      <AllowedActions
        allowed={allowed}
        onChange={(next) => {
          onSaved(false)
          setAllowed(next)
        }}
      />
      <fieldset>
        <legend>New keys</legend>
        <Tick
          label="Have the wallet wait a day for a new key"
          isChecked={recoveryWaits}
          onChange={(next) => {
            onSaved(false)
            setRecoveryWaits(next)
          }}
        />
        <p className="quiet">
          Whoever has the wallet’s private key gets a new key at once. With this, you and the agent can stop it first.
          Logged in, you replace the key without waiting.
        </p>
      </fieldset>
      <div className="owner-choices">
        <button type="submit" className="button button-main" aria-disabled={update.isPending}>
          {update.isPending ? 'Saving…' : 'Save the rules'}
        </button>
        <p className="form-done" role="status">
          {isSaved && (
            <>
              <Icon name="check" /> Saved. They apply from its next request on.
            </>
          )}
        </p>
      </div>
      {update.error && <FormFailure error={update.error} />}
      <p className="quiet">
        The rules apply to what this service publishes and prepares. Whoever has the wallet’s private key can still sign
        any trade. A trade outside the rules cannot be prevented or undone; it freezes the agent as soon as the service
        sees it, and you find it here.
      </p>
    </form>
  )
}

function AllowedActions({
  allowed,
  onChange,
}: {
  allowed: readonly AgentAction[]
  onChange: (allowed: readonly AgentAction[]) => void
}) {
  return (
    <fieldset>
      <legend>What it may do</legend>
      <div className="owner-ticks">
        {everyAction.map((action) => (
          <Tick
            key={action}
            label={actions[action]}
            isChecked={allowed.includes(action)}
            onChange={(isChecked) =>
              onChange(everyAction.filter((other) => (other === action ? isChecked : allowed.includes(other))))
            }
          />
        ))}
      </div>
    </fieldset>
  )
}

function Tick(props: { label: string; isChecked: boolean; onChange: (isChecked: boolean) => void }) {
  const id = useId()
  return (
    <label className="tick" htmlFor={id}>
      <input
        id={id}
        type="checkbox"
        checked={props.isChecked}
        onChange={({ target }) => props.onChange(target.checked)}
      />
      {props.label}
    </label>
  )
}

/** The entries that differ from the current rules. */
function changesOf(
  controls: AgentControls,
  rules: Readonly<Record<TextRule, string>>,
  { allowed, recoveryWaits }: { allowed: readonly AgentAction[]; recoveryWaits: boolean },
) {
  const count = (text: string) => (text === '' ? null : Number(text))
  const amount = (text: string) => (text === '' ? null : text)
  const wanted = {
    maxDailyPosts: count(rules.maxDailyPosts),
    approvePostsAfter: count(rules.approvePostsAfter),
    maxTradeBNB: amount(rules.maxTradeBNB),
    maxDailyTradeBNB: amount(rules.maxDailyTradeBNB),
    approveTradesAboveBNB: amount(rules.approveTradesAboveBNB),
    allowedActions: allowed.length === everyAction.length ? null : [...allowed],
    recoveryWaits,
  }
  const isChanged = (name: keyof typeof wanted) => JSON.stringify(wanted[name]) !== JSON.stringify(controls[name])
  const names = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(isChanged)
  return Object.fromEntries(names.map((name) => [name, wanted[name]])) as Partial<typeof wanted>
}
