import { expect, test } from 'vitest'
import { mergeMetrics } from './merge-metrics.js'

const text = (calls: number, lag: number) => `# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{route="/a {b}",status="200"} ${calls}

# HELP lag Lag.
# TYPE lag gauge
lag ${lag}
`

test('the metrics of several processes have each name once, and a label that says whose a sample is', () => {
  const merged = mergeMetrics(
    new Map([
      ['web-1', text(3, 1)],
      ['web-2', text(4, 2)],
    ]),
  )
  expect(merged).toBe(`# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{process="web-1",route="/a {b}",status="200"} 3
calls_total{process="web-2",route="/a {b}",status="200"} 4

# HELP lag Lag.
# TYPE lag gauge
lag{process="web-1"} 1
lag{process="web-2"} 2
`)
})
