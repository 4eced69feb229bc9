import { type BarChart, barChart } from '../output/bar-chart.js'
import { median } from '../output/statistics.js'
import type { Best } from './beside.js'
import type { Backlog, Measured, Run } from './measure.js'

export interface Report {
  readonly engine: 'postgres' | 'embedded'
  /** The measured programs: this one, and the other if there is one. */
  readonly targets: readonly string[]
  readonly measured: readonly (Measured & { readonly best?: Best })[]
  readonly backlogs: readonly Backlog[]
}

export interface Table {
  readonly heading: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const whole = (value: number) => (Number.isFinite(value) ? Math.round(value).toLocaleString('en') : '–')
const ms = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(1))
const times = (value: number) => (Number.isFinite(value) ? `${value.toFixed(2)}x` : '–')

/** The median of one figure over all rounds. */
function middle(runs: readonly Run[] | undefined, figure: keyof Run): number {
  return median((runs ?? []).map((run) => run[figure]))
}

/** The median of the ratios of each round: other load in a round affects both programs. */
export function ratioOf(a: readonly Run[] | undefined, b: readonly Run[] | undefined): number {
  return median((a ?? []).map(({ perSecond }, round) => perSecond / (b?.[round]?.perSecond ?? Number.NaN)))
}

const idle = ({ idlePercent, isQuiet }: Measured) => `${idlePercent.toFixed(1)}${isQuiet ? '' : ' (busy)'}`

export function tableOf({ targets, measured, ...more }: Report): Table {
  const [mine = '', other] = targets
  return other === undefined ? aloneTable(mine, measured, more.engine) : againstTable(mine, other, measured)
}

function aloneTable(name: string, measured: Report['measured'], engine: Report['engine']): Table {
  const hasBest = measured.some(({ best }) => best !== undefined)
  const bestHeading = hasBest ? ['bytes', 'bare req/s', 'of bare', 'bare us', 'pgbench', 'of pgbench'] : []
  const hasDatabase = engine === 'postgres'
  const cpu = ['CPU us', ...(hasDatabase ? ['database us'] : []), 'client us']
  return {
    heading: ['request', 'connections', 'req/s', 'p50 ms', 'p99 ms', ...cpu, 'idle %', 'others %', ...bestHeading],
    rows: measured.map((row) => {
      const runs = row.runs[name]
      const rate = middle(runs, 'perSecond')
      const { best } = row
      return [
        row.workload,
        `${row.connections}`,
        whole(rate),
        ms(middle(runs, 'p50')),
        ms(middle(runs, 'p99')),
        whole(middle(runs, 'programCpu')),
        ...(hasDatabase ? [whole(middle(runs, 'databaseCpu'))] : []),
        whole(middle(runs, 'clientCpu')),
        idle(row),
        whole(middle(runs, 'elsewherePercent')),
        ...(best ? [whole(best.bytes), whole(best.bare), times(rate / best.bare), whole(best.bareCpu)] : []),
        ...(best ? [whole(best.pgbench ?? Number.NaN), times(rate / (best.pgbench ?? Number.NaN))] : []),
      ]
    }),
  }
}

function againstTable(mine: string, other: string, measured: Report['measured']): Table {
  const both = (what: string) => [`${what} ${mine}`, `${what} ${other}`]
  return {
    heading: [
      'request',
      'connections',
      ...both('req/s'),
      'ratio',
      ...both('p50 ms'),
      ...both('CPU us'),
      'idle %',
      'others %',
    ],
    rows: measured.map((row) => {
      const [a, b] = [row.runs[mine], row.runs[other]]
      const pair = (figure: keyof Run, show: (value: number) => string) => [
        show(middle(a, figure)),
        show(middle(b, figure)),
      ]
      // PostgreSQL's CPU time is part of the cost of a request.
      const cpu = [a, b].map((runs) => whole(middle(runs, 'programCpu') + middle(runs, 'databaseCpu')))
      return [
        row.workload,
        `${row.connections}`,
        ...pair('perSecond', whole),
        times(ratioOf(a, b)),
        ...pair('p50', ms),
        ...cpu,
        idle(row),
        whole(Math.max(middle(a, 'elsewherePercent'), middle(b, 'elsewherePercent'))),
      ]
    }),
  }
}

/** One line for each workload and program, of the rounds with the most connections. */
export function backlogLines(backlogs: readonly Backlog[]): string[] {
  const most = Math.max(...backlogs.map(({ connections }) => connections))
  const kinds = new Map(backlogs.map(({ workload, target }) => [`${workload}, ${target}`, { workload, target }]))
  return [...kinds].map(([name, kind]) => {
    const isOfKind = ({ workload, target }: Backlog) => workload === kind.workload && target === kind.target
    const own = backlogs.filter((backlog) => isOfKind(backlog) && backlog.connections === most)
    const figure = (of: (backlog: Backlog) => number) => median(own.map(of))
    const seconds = figure((backlog) => backlog.seconds).toFixed(1)
    const all = whole(figure((backlog) => backlog.written / (backlog.writingSeconds + backlog.seconds)))
    return (
      `${name}, ${most} connections: ${whole(figure((backlog) => backlog.written))} requests in a round; ` +
      `the ${whole(figure((backlog) => backlog.jobs))} remaining jobs took ${seconds} s ` +
      `(${whole(figure((backlog) => backlog.jobs / backlog.seconds))} a second). In all ${all} requests a second were answered, and their tweets delivered and embedded.`
    )
  })
}

/** A chart of the ratios, or of the rates where there is nothing to compare with. */
export function chartOf({ engine, targets, measured }: Report): string {
  const [mine = '', other] = targets
  const connections = [...new Set(measured.map(({ connections }) => connections))]
  const names = [...new Set(measured.map(({ workload }) => workload))]
  const value = ({ runs }: Measured) =>
    other === undefined ? middle(runs[mine], 'perSecond') : ratioOf(runs[mine], runs[other])
  const groups = names.map((name) => ({
    name,
    values: connections.map((count) => {
      const row = measured.find(({ workload, connections }) => workload === name && connections === count)
      return row ? value(row) : Number.NaN
    }),
  }))
  const database = engine === 'embedded' ? 'embedded database' : 'PostgreSQL'
  const chart: BarChart = {
    title: `${other === undefined ? 'Requests a second' : `Requests a second, ${mine} to ${other}`} (${database})`,
    series: connections.map((count) => (count === 1 ? '1 connection' : `${count} connections`)),
    groups,
    show: other === undefined ? whole : times,
    ...(other !== undefined && { mark: 1 }),
  }
  return barChart(chart)
}
