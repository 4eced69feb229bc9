import type { Skill } from '@rookery/sdk'
import { diffLines } from 'diff'
import { useSkillDocument } from '../../api/skills.js'
import { Choice } from '../../ui/choice.js'
import { LockedBy } from '../../ui/locked-by.js'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.js'

/** What changed between two versions, line by line. */
export function Changes({
  skill,
  query,
  change,
}: {
  skill: Skill
  query: URLSearchParams
  change: (changes: Record<string, string | undefined>) => void
}) {
  const numbers = skill.versions.map(({ versionNumber }) => versionNumber)
  const known = (name: string) => numbers.find((number) => number === query.get(name))
  const to = known('to') ?? numbers[0]
  const from = known('from') ?? numbers[1]
  if (!skill.canViewFullContent) return <LockedBy username={skill.creator.username} />
  if (to === undefined || from === undefined) return <EmptyState title="There is only one version so far" />
  const options = Object.fromEntries(numbers.map((number) => [number, number]))
  return (
    <>
      <div className="changes-choice">
        <Choice label="From" value={from} options={options} onChange={(from) => change({ from })} />
        <Choice label="To" value={to} options={options} onChange={(to) => change({ to })} />
      </div>
      <Difference skill={skill} from={from} to={to} />
    </>
  )
}

function Difference({ skill, from, to }: { skill: Skill; from: string; to: string }) {
  const [before, after] = [useSkillDocument(skill, from), useSkillDocument(skill, to)]
  const failed = [before, after].find(({ error }) => error)
  if (failed?.error) return <ErrorState error={failed.error} retry={() => void failed.refetch()} />
  if (before.data === undefined || after.data === undefined) return <Skeleton rows={6} label="Loading both versions" />
  const lines = diffLines(before.data, after.data).flatMap(({ value, added, removed }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same'
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ kind, text }))
  })
  if (lines.every(({ kind }) => kind === 'same')) return <EmptyState title="No differences" />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reachable with the keyboard.
    <section className="difference" aria-label={`Changes from ${from} to ${to}`} tabIndex={0}>
      {lines.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a difference never move.
        <Line key={index} kind={kind} text={text} />
      ))}
    </section>
  )
}

const signs: Readonly<Record<string, readonly [sign: string, word: string]>> = {
  added: ['+', 'Added: '],
  removed: ['−', 'Removed: '],
  same: [' ', ''],
}

function Line({ kind, text }: { kind: string; text: string }) {
  const [sign, word] = signs[kind] ?? [' ', '']
  return (
    <div className={`line line-${kind}`}>
      <span aria-hidden="true">{sign}</span>
      <span className="visually-hidden">{word}</span>
      <code>{text || ' '}</code>
    </div>
  )
}
