import { createOtlpHttpExportDelegate, httpAgentFactoryFromOptions } from '@opentelemetry/otlp-exporter-base/node-http'
import {
  JsonTraceSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.js'

const SUCCESS = 0

/** Creates what sends spans to the collector. It logs when the collector stops taking them, and when it takes them again. */
export function createExporter(config: Config, url: string, log: Logger): SpanExporter {
  const isJson = (config.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? config.OTEL_EXPORTER_OTLP_PROTOCOL) === 'http/json'
  const headers = {
    ...config.OTEL_EXPORTER_OTLP_HEADERS,
    ...config.OTEL_EXPORTER_OTLP_TRACES_HEADERS,
    'Content-Type': isJson ? 'application/json' : 'application/x-protobuf',
  }
  const delegate = createOtlpHttpExportDelegate(
    {
      url,
      headers: async () => headers,
      timeoutMillis: config.OTEL_EXPORTER_OTLP_TIMEOUT,
      compression: config.OTEL_EXPORTER_OTLP_COMPRESSION,
      concurrencyLimit: 4,
      agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
    },
    isJson ? JsonTraceSerializer : ProtobufTraceSerializer,
    'otlp_http_span_exporter',
    TraceExporterMetricsHelper,
    undefined,
  )
  let isAway = false

  function note(error: Error | undefined): void {
    if (error && !isAway) log.warn({ message: error.message }, 'traces cannot be delivered, and are dropped')
    if (!error && isAway) log.info('traces are delivered again')
    isAway = error !== undefined
  }

  return {
    export(spans, done) {
      delegate.export(spans, (result) => {
        note(result.code === SUCCESS ? undefined : (result.error ?? new Error('the collector refuses them')))
        done(result)
      })
    },
    forceFlush: () => delegate.forceFlush(),
    shutdown: () => delegate.shutdown(),
  }
}
