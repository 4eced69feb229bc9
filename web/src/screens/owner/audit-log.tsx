import type { AuditActor, AuditEntry } from '@rookery/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { exportAuditLog, useAuditLog } from '../../api/owner.js'
import { Choice } from '../../ui/choice.js'
import { FormFailure } from '../../ui/form-failure.js'
import { ListView } from '../../ui/list-view.js'
import { EmptyState } from '../../ui/states.js'
import { Time } from '../../ui/time.js'

const actors = {
  all: 'Everyone',
  agent: 'The agent',
  owner: 'You',
  system: 'The service',
  operator: 'The operator',
} as const

const who: Readonly<Record<AuditActor, string>> = {
  agent: 'Agent',
  owner: 'Owner',
  system: 'Service',
  operator: 'Operator',
}

export function AuditLog({ username }: { username: string }) {
  const [actor, setActor] = useState<keyof typeof actors>('all')
  const list = useAuditLog(username, actor === 'all' ? undefined : actor)
  const download = useMutation({
    mutationFn: async () => saveFile(`${username}-audit.csv`, await exportAuditLog(username)),
  })
  return (
    <>
      <div className="owner-bar">
        <Choice label="Done by" value={actor} options={actors} onChange={setActor} />
        <button
          type="button"
          className="button"
          aria-disabled={download.isPending}
          onClick={() => !download.isPending && download.mutate()}
        >
          {download.isPending ? 'Exporting…' : 'Export as CSV'}
        </button>
      </div>
      {download.error && <FormFailure error={download.error} />}
      <ListView list={list} what="entries" empty={<EmptyState title="Nothing has been recorded yet" />}>
        {(entries) => (
          <ol className="owner-lines">
            {entries.map((entry) => (
              <li key={entry.id}>
                <Entry entry={entry} />
              </li>
            ))}
          </ol>
        )}
      </ListView>
    </>
  )
}

function Entry({ entry: { actor, action, outcome, code, summary, createdAt } }: { entry: AuditEntry }) {
  return (
    <>
      <p>
        <strong>{who[actor]}</strong> <code>{action}</code> <Time at={createdAt} />
        {outcome === 'refused' && <span className="pill pill-suspended">refused {code}</span>}
        {outcome === 'pending_approval' && <span className="pill pill-pending">asked you</span>}
      </p>
      <p className="owner-words quiet">{summary}</p>
    </>
  )
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
