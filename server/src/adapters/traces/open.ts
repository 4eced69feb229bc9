import type { Logger } from 'pino'
import { spanContext } from '../../base/span-context.js'
import type { Config } from '../../config/config.js'
import type { Traces } from './traces.js'

/** Opens the traces if a collector is configured. Without one, none of their packages is loaded. */
export async function openTraces(config: Config, instanceId: string, log: Logger): Promise<Traces | undefined> {
  const url = urlOf(config)
  if (!url || config.OTEL_SDK_DISABLED || config.OTEL_TRACES_EXPORTER === 'none') return undefined
  const { createOtlpTraces } = await import('./otlp.js')
  const { keep, ...traces } = createOtlpTraces({ config, url, instanceId, log })
  spanContext.keep = keep
  return traces
}

/** The address for traces is used as it is; that for everything has a path for each kind. */
function urlOf(config: Config): string | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: shared } = config
  return own ?? (shared && `${shared.replace(/\/+$/, '')}/v1/traces`)
}
