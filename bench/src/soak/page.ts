import { markdownTable } from '@rookery/tooling/table'
import { MIX } from './load.js'
import type { SoakOptions, SoakResult } from './run.js'
import type { Series } from './series.js'

/** The page for docs/: what was done, what stayed flat, and the chart. */
export function soakPage(
  { periods, calls, failures }: SoakResult,
  all: readonly Series[],
  { agents, rate, listeners }: Pick<SoakOptions, 'agents' | 'rate' | 'listeners'>,
  today: string,
): string {
  const minutes = (periods.at(-1)?.seconds ?? 0) / 60
  const total = Object.values(calls).reduce((sum, count) => sum + count, 0)
  const grown = all.filter(({ trend }) => !trend.isFlat).map(({ name }) => name)
  const rows = all.map(({ name, unit, trend }) => [
    name,
    `${trend.median.toFixed(1)} ${unit}`.trim(),
    `${trend.growth >= 0 ? '+' : '−'}${Math.abs(trend.growth).toFixed(1)} ${unit}`.trim(),
    trend.isFlat ? 'flat' : 'grows',
  ])
  const failed = [...failures].map(([message, times]) => `- ${times} × ${message}`).join('\n')
  return `# Soak

Written by \`npm run bench -- soak\` on ${today}: ${minutes.toFixed(0)} minutes of mixed load by ${agents} agents, ${rate} calls a second and ${listeners}
live connections that are renewed every 20 seconds, on the embedded default. ${total.toLocaleString('en')} calls; of a thousand,
${Object.entries(MIX)
  .map(([kind, count]) => `${count} ${kind}`)
  .join(', ')}.

${grown.length === 0 ? 'Everything is flat.' : `**Not flat: ${grown.join(', ')}.**`} A figure is flat when its slope over the last two thirds of the time (the median of
the slopes between all pairs of samples) makes it grow by no more than the tolerance in \`bench/src/soak/series.ts\`.

![Memory, handles and latency over time](images/soak.svg)

${markdownTable(['figure', 'median', 'growth over the last two thirds', 'verdict'], rows)}

${failures.size === 0 ? 'No call failed.' : `Calls that failed:\n\n${failed}`}
`
}
