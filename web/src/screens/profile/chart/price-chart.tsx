import './chart.css'
import type { Agent, ChartInterval } from '@rookery/sdk'
import { useState } from 'react'
import { useChart } from '../../../api/market.js'
import { useQueryState } from '../../../router/location.js'
import { LiveMark } from '../../../ui/live-mark.js'
import { EmptyState, ErrorState } from '../../../ui/states.js'
import { Switch } from '../../../ui/switch.js'
import { steps } from './bars.js'
import { type ChartKind, chooseInterval, chooseKind } from './choose.js'
import { ChartSpace, DrawnChart } from './drawn-chart.js'

const intervals = Object.keys(steps) as ChartInterval[]
const kinds: Readonly<Record<ChartKind, string>> = { line: 'Line', candles: 'Candles' }
const kindNames = Object.keys(kinds) as ChartKind[]

/** The share price over time: as a drawing, a sentence and a table. */
export function PriceChart({ agent }: { agent: Agent }) {
  if (agent.tradeable) return <Chart agent={agent} />
  return (
    <section className="panel price-chart" aria-labelledby="chart-title">
      <h2 id="chart-title">Share price</h2>
      <EmptyState title="No trades yet">
        <p>The chart starts when the owner buys the first share.</p>
      </EmptyState>
    </section>
  )
}

function Chart({ agent }: { agent: Agent }) {
  const [query, change] = useQueryState()
  const [usual] = useState(() => chooseInterval(agent.launchedAt, new Date()))
  const interval = intervals.find((name) => name === query.get('interval')) ?? usual
  const { data, error, isPending, refetch } = useChart(agent.username, interval)
  const candles = data?.candles ?? []
  const usualKind = chooseKind(candles.length)
  const kind = kindNames.find((name) => name === query.get('chart')) ?? usualKind
  return (
    <section className="panel price-chart" aria-labelledby="chart-title">
      <div className="panel-head">
        <h2 id="chart-title">Share price</h2>
        <LiveMark />
      </div>
      <div className="chart-choices">
        <Switch
          name="interval"
          legend="Interval"
          options={intervals.map((name) => [name, name])}
          chosen={interval}
          onChoose={(name) => change({ interval: name === usual ? undefined : name })}
        />
        <Switch
          name="chart"
          legend="Drawn as"
          options={kindNames.map((name) => [name, kinds[name]])}
          chosen={kind}
          onChoose={(name) => change({ chart: name === usualKind ? undefined : name })}
        />
      </div>
      {error && !data ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : isPending ? (
        <ChartSpace label="Loading the chart" />
      ) : candles.length === 0 ? (
        <EmptyState title="The first trade is on its way" />
      ) : (
        <DrawnChart key={interval} agent={agent} candles={candles} interval={interval} kind={kind} />
      )}
    </section>
  )
}
