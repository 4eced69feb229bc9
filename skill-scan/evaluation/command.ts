import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { textTable } from '@rookery/tooling/table'
import { PARTS, readCorpus, type Sample } from './corpus.js'
import { type Judged, judge, verdictsOf } from './measure.js'
import { writeWeights } from './train.js'

const ROUNDS = 3

export const command: Command = {
  summary: 'How well the scan of skills finds harmful documents: blocked, uncertain and clean, by part and by kind.',
  options: [
    ['--failures', 'list the documents that it gets wrong, except held-out ones'],
    ['--train', 'first fit the model again, on everything but the held-out parts'],
  ],
  async run(args) {
    const { failures, train } = readOptions(args, { failures: false, train: false })
    if (train) {
      console.log(`${await writeWeights()} weights written. Run it again without --train to measure them.`)
      return
    }
    const samples = await readCorpus()
    const judged = await judge(samples)
    console.log(`Harmful documents\n\n${byPart(judged.filter(({ isBad }) => isBad))}\n`)
    console.log(`Harmless documents\n\n${byPart(judged.filter(({ isBad }) => !isBad))}\n`)
    for (const part of ['blind-dev', 'blind-held-out'] as const)
      console.log(`By kind: ${part}\n\n${byKind(judged.filter((one) => one.part === part))}\n`)
    console.log(await speed(samples))
    if (failures) listFailures(judged)
  },
}

const HEADING = ['n', 'blocked', 'uncertain', 'clean', 'not clean']

function cells(judged: readonly Judged[]): (string | number)[] {
  const { blocked, uncertain, clean } = verdictsOf(judged)
  const share = (blocked + uncertain) / Math.max(judged.length, 1)
  return [judged.length, blocked, uncertain, clean, `${(share * 100).toFixed(0)}%`]
}

function byPart(judged: readonly Judged[]): string {
  const rows = PARTS.map((part) => [part, ...cells(judged.filter((one) => one.part === part))])
  return textTable(['part', ...HEADING], [...rows, ['all', ...cells(judged)]])
}

function byKind(judged: readonly Judged[]): string {
  const kinds = [...new Set(judged.map(({ isBad, kind }) => `${isBad ? 'bad' : 'good'} ${kind}`))].sort()
  return textTable(
    ['kind', ...HEADING],
    kinds.map((name) => [
      name,
      ...cells(judged.filter(({ isBad, kind }) => `${isBad ? 'bad' : 'good'} ${kind}` === name)),
    ]),
  )
}

async function speed(samples: readonly Sample[]): Promise<string> {
  const started = performance.now()
  for (let round = 0; round < ROUNDS; round++) await judge(samples)
  const ms = (performance.now() - started) / ROUNDS
  const characters = samples.reduce((sum, { document }) => sum + document.length, 0)
  return `${(ms / samples.length).toFixed(2)} ms a document, ${(characters / ms / 1000).toFixed(2)} million characters a second`
}

// Held-out documents stay unread, so that no rule can be made from them.
function listFailures(judged: readonly Judged[]): void {
  for (const { part, isBad, name, kind, status, rules } of judged)
    if (!part.endsWith('held-out') && (isBad ? status !== 'blocked' : status !== 'clean'))
      console.log(`${part}: ${isBad ? 'bad' : 'good'} “${name}” (${kind}) is ${status} ${rules.join(', ')}`)
}
