import { createLocalEmbedder } from '@rookery/server/search'
import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { textTable } from '@rookery/tooling/table'
import { PARTS, type Part, readCorpus, type Sample, UNREAD } from './corpus.js'
import { type Judged, judge, VERDICTS } from './measure.js'
import { writeWeights } from './train.js'

export const command: Command = {
  summary:
    'How well the scan of skills finds harmful documents: blocked, labelled, unsure and clean, by part and by kind.',
  options: [
    ['--failures', 'list the documents that it gets wrong, except those that nobody reads'],
    ['--train', 'first fit the model again, on everything that may be learnt from'],
  ],
  async run(args) {
    const { failures, train } = readOptions(args, { failures: false, train: false })
    const embedder = createLocalEmbedder()
    const embed = async (texts: readonly string[]) => embedder.readLayers?.(texts)
    try {
      if (train)
        console.log(`${await writeWeights(embed, console.log)} Run it again without --train to measure the scan.`)
      else await report(await readCorpus(), embed, failures)
    } finally {
      await embedder.close()
    }
  },
}

async function report(
  samples: readonly Sample[],
  embed: Parameters<typeof judge>[1],
  failures: boolean,
): Promise<void> {
  const started = performance.now()
  const judged = await judge(samples, embed)
  const ms = (performance.now() - started) / samples.length
  for (const isBad of [true, false]) {
    const these = judged.filter((one) => one.isBad === isBad)
    const of = (part: Part) => these.filter((one) => one.part === part)
    console.log(`${isBad ? 'Harmful' : 'Harmless'} documents\n`)
    console.log(
      `${tableOf(
        'part',
        PARTS.map((part) => [part, of(part)]),
      )}\n`,
    )
    for (const part of ['unseen', 'unseen-2'] as const) {
      console.log(`${tableOf(`${part}, by kind`, groupsOf(of(part), 'kind'))}\n`)
      console.log(`${tableOf(`${part}, by language`, groupsOf(of(part), 'language'))}\n`)
    }
  }
  console.log(`${ms.toFixed(0)} ms a document`)
  if (failures) listFailures(judged)
}

function groupsOf(judged: readonly Judged[], by: 'kind' | 'language'): [string, Judged[]][] {
  const names = [...new Set(judged.map((one) => one[by]))].sort()
  return names.map((name) => [name, judged.filter((one) => one[by] === name)])
}

function tableOf(heading: string, groups: readonly (readonly [string, readonly Judged[]])[]): string {
  const rows = groups.map(([name, judged]) => {
    const counts = VERDICTS.map((wanted) => judged.filter(({ verdict }) => verdict === wanted).length)
    const [blocked = 0, labelled = 0] = counts
    return [
      name,
      judged.length,
      ...counts,
      `${(((blocked + labelled) / Math.max(judged.length, 1)) * 100).toFixed(0)} %`,
    ]
  })
  return textTable([heading, 'n', ...VERDICTS, 'labelled'], rows)
}

// Documents that nobody reads stay unread, so that nothing can be made from them.
function listFailures(judged: readonly Judged[]): void {
  for (const { part, isBad, name, kind, verdict, rules } of judged)
    if (!UNREAD.includes(part) && isBad === (verdict === 'unsure' || verdict === 'clean'))
      console.log(`${part}: ${isBad ? 'harmful' : 'harmless'} “${name}” (${kind}) is ${verdict} ${rules.join(', ')}`)
}
