import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Link,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Within } from '../../base/span-context.js'
import type { TraceParent } from '../../base/traceparent.js'
import type { Config } from '../../config/config.js'
import { createExporter } from './exporter.js'
import { createSampler } from './sampler.js'
import type { Attributes, NewSpan, Span, Traces } from './traces.js'

// The stop has ten seconds for everything.
const FLUSH_WITHIN_MS = 2_000

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

interface OtlpOptions {
  readonly config: Config
  readonly url: string
  readonly instanceId: string
  readonly log: Logger
}

/** Traces that an OpenTelemetry collector gets. `keep` is for queues: see `spanContext`. */
export function createOtlpTraces(options: OtlpOptions): Traces & { keep(): Within } {
  const { config } = options
  const provider = createProvider(options)
  const tracer = provider.getTracer('rookery', config.version)
  const active = new AsyncLocalStorage<Span & { isOver(): boolean; readonly context: SpanContext }>()

  function begin({ name, kind, attributes, parent, link }: NewSpan): Span {
    const above = parent ? toContext(parent) : current()?.context
    const context = above ? trace.setSpanContext(ROOT_CONTEXT, above) : ROOT_CONTEXT
    const links: Link[] = link ? [{ context: toContext(link) }] : []
    const made = tracer.startSpan(name, { kind: KINDS[kind], attributes: known(attributes), links }, context)
    let isOver = false
    const span = {
      context: made.spanContext(),
      traceparent: toHeader(made.spanContext()),
      isSampled: made.isRecording(),
      isOver: () => isOver,
      within: <T>(work: () => T): T => active.run(span, work),
      end(outcome: Parameters<Span['end']>[0] = {}) {
        if (isOver) return
        isOver = true
        endSpan(made, outcome)
      },
    }
    return span
  }

  // What goes on after the end of a span, such as a loop that the call has woken, does not belong to it.
  function current() {
    const span = active.getStore()
    return span?.isOver() ? undefined : span
  }

  return {
    begin,
    current,
    keep: () => {
      const span = active.getStore()
      return (work) => (span ? active.run(span, work) : active.exit(work))
    },
    async close() {
      const flushed = provider.shutdown().catch(() => {})
      await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, FLUSH_WITHIN_MS).unref())])
    },
  }
}

function createProvider({ config, url, instanceId, log }: OtlpOptions): TracerProvider {
  const { 'service.name': name = 'rookery', ...given } = config.OTEL_RESOURCE_ATTRIBUTES
  return new TracerProvider({
    sampler: createSampler(config),
    resource: resourceFromAttributes({
      'service.name': config.OTEL_SERVICE_NAME ?? name,
      'service.version': config.version,
      'service.instance.id': instanceId,
      'rookery.role': config.ROLE,
      ...given,
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: createExporter(config, url, log),
        scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
        maxQueueSize: config.OTEL_BSP_MAX_QUEUE_SIZE,
      }),
    ],
  })
}

function endSpan(span: OtelSpan, { attributes, error }: NonNullable<Parameters<Span['end']>[0]>): void {
  span.setAttributes(known(attributes))
  if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

function known(attributes: Attributes = {}): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function toContext({ traceId, spanId, isSampled }: TraceParent): SpanContext {
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true }
}

function toHeader({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`
}
