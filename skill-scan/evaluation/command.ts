import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { textTable } from '@rookery/tooling/table'
import { PARTS, readCorpus, type Sample } from './corpus.js'
import { type Judged, judge, type Rates, ratesOf } from './measure.js'

const ROUNDS = 5

export const command: Command = {
  summary:
    'How well the scan of skills finds harmful documents: recall and false positives over a corpus, part by part.',
  options: [['--failures', 'list the documents that it gets wrong']],
  async run(args) {
    const { failures } = readOptions(args, { failures: false })
    const samples = await readCorpus()
    const judged = await judge(samples)
    const parts = PARTS.map((part) => [part, judged.filter((one) => one.part === part)] as const)
    const heading = ['part', 'bad', 'good', 'recall (blocked)', 'recall (+ warned)', 'false blocks', 'false (+ warned)']
    console.log(
      textTable(
        heading,
        [...parts, ['all', judged] as const].map(([name, of]) => [name, ...cells(ratesOf(of))]),
      ),
    )
    console.log(`\n${byKind(judged)}\n\n${await speed(samples)}`)
    if (failures) listFailures(judged)
  },
}

function cells({ bad, good, recallBlocked, recallFlagged, falseBlocked, falseFlagged }: Rates): (string | number)[] {
  return [
    bad,
    good,
    ...[recallBlocked, recallFlagged, falseBlocked, falseFlagged].map((rate) => `${(rate * 100).toFixed(0)}%`),
  ]
}

function byKind(judged: readonly Judged[]): string {
  const kinds = [...new Set(judged.filter(({ isBad }) => isBad).map(({ kind }) => kind))]
  const rows = kinds.map((kind) => {
    const rates = ratesOf(judged.filter((one) => one.isBad && one.kind === kind))
    return [kind, rates.bad, `${(rates.recallBlocked * 100).toFixed(0)}%`, `${(rates.recallFlagged * 100).toFixed(0)}%`]
  })
  return textTable(['kind of harm', 'n', 'blocked', '+ warned'], rows)
}

async function speed(samples: readonly Sample[]): Promise<string> {
  const started = performance.now()
  for (let round = 0; round < ROUNDS; round++) await judge(samples)
  const ms = (performance.now() - started) / ROUNDS
  const characters = samples.reduce((sum, { document }) => sum + document.length, 0)
  return `${(ms / samples.length).toFixed(2)} ms a document, ${(characters / ms / 1000).toFixed(2)} million characters a second`
}

function listFailures(judged: readonly Judged[]): void {
  for (const { part, isBad, name, kind, status, rules } of judged)
    if (isBad ? status !== 'blocked' : status !== 'clean')
      console.log(`${part}: ${isBad ? 'bad' : 'good'} “${name}” (${kind}) is ${status} ${rules.join(', ')}`)
}
