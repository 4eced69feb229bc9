import { readFile } from 'node:fs/promises'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { sourceFiles } from './source-files.js'

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

const METRIC = /(?:(?:gauge|counter)\(|(?:Gauge|Counter|Histogram|Summary)\(\{\s*name:)\s*'(\w+)'/g

/** The names of all metrics that the service has, Node's own included. */
async function metricNames(): Promise<Set<string>> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const own = (await sourceFiles('server/src')).flatMap(({ text }) =>
    [...text.matchAll(METRIC)].map(([, name]) => name),
  )
  return new Set([...own, ...registry.getMetricsAsArray().map(({ name }) => name)].filter((name) => name !== undefined))
}

/** The metrics that an expression names. */
function metricsIn(expression: string): string[] {
  const names = expression.match(/\b(?:rookery|http|nodejs|process)_\w+/g) ?? []
  return names.map((name) => name.replace(/_(bucket|sum|count)$/, ''))
}

describe('the rules for alerts', () => {
  test('name metrics that exist, and each has its lines in the runbook', async () => {
    const [rules, runbook, known] = [
      await read('deploy/prometheus/alerts.yaml'),
      await read('docs/operating.md'),
      await metricNames(),
    ]
    const alerts = rules.split(/^ {6}- alert: /m).slice(1)
    expect(alerts.length).toBeGreaterThan(15)
    for (const alert of alerts) {
      const [name = ''] = alert.split('\n')
      const [, expression = ''] = /^ +expr: ['"](.*)['"]$/m.exec(alert) ?? []
      const named = metricsIn(expression)
      expect(named.length > 0 || expression.startsWith('up{'), name).toBe(true)
      expect(
        named.filter((metric) => !known.has(metric)),
        name,
      ).toEqual([])
      expect(alert).toMatch(/^ +severity: (critical|warning)$/m)
      expect(alert).toMatch(/^ +summary: ".+"$/m)
      const [, page, anchor] = /^ +runbook: (\S+)#(\S+)$/m.exec(alert) ?? []
      expect([page, anchor]).toEqual(['docs/operating.md', name.toLowerCase()])
      expect(runbook).toContain(`<a id="${anchor}"></a>\`${name}\``)
    }
  })

  test('are all that the runbook explains', async () => {
    const [rules, runbook] = [await read('deploy/prometheus/alerts.yaml'), await read('docs/operating.md')]
    const explained = [...runbook.matchAll(/<a id="(rookery\w+)"><\/a>/g)].map(([, id]) => id)
    const ruled = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name?.toLowerCase())
    expect(explained).toEqual(ruled)
  })
})

test('the dashboard names metrics that exist', async () => {
  const [dashboard, known] = [JSON.parse(await read('deploy/grafana/rookery.json')), await metricNames()]
  const expressions = dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  )
  expect(expressions.length).toBeGreaterThan(15)
  for (const expression of expressions) {
    expect(metricsIn(expression).length, expression).toBeGreaterThan(0)
    expect(metricsIn(expression).filter((metric) => !known.has(metric))).toEqual([])
  }
})
