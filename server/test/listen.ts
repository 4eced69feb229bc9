import type { LiveEvent, Topic } from '@rookery/api'
import { eventOf } from '@rookery/api'
import type { Client } from '@rookery/sdk'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** A listener that is already connected. */
export interface TestListener {
  readonly events: readonly LiveEvent[]
  /** Waits for the next events. */
  take(count: number): Promise<LiveEvent[]>
  /** The error, once the listener has failed. */
  readonly failed: Promise<unknown>
  stop(): Promise<void>
}

/** Listens through the SDK and checks every event against the schema of its type. */
export async function listen(client: Client, topics: readonly Topic[], resume?: string): Promise<TestListener> {
  const events: LiveEvent[] = []
  const ending = new AbortController()
  let taken = 0
  let wake = () => {}
  let isOpen: (value: unknown) => void = () => {}
  const opened = new Promise((resolve) => {
    isOpen = resolve
  })

  async function run(): Promise<void> {
    const options = { topics, signal: ending.signal, onState: isOpen, ...(resume !== undefined && { resume }) }
    for await (const event of client.events(options)) {
      checkEvent(event)
      events.push(event)
      wake()
    }
  }

  const running = run()
  const failed = running.then(
    () => undefined,
    (error: unknown) => error,
  )
  await Promise.race([opened, failed])
  return {
    events,
    failed,
    async take(count) {
      while (events.length < taken + count)
        await Promise.race([
          new Promise<void>((resolve) => {
            wake = resolve
          }),
          running,
        ])
      taken += count
      return events.slice(taken - count, taken)
    },
    async stop() {
      ending.abort()
      await failed
    },
  }
}

const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }))

const validators = new Map<string, ValidateFunction>()

function checkEvent(event: LiveEvent): void {
  const validate = validators.get(event.type) ?? ajv.compile(eventOf(event.type))
  validators.set(event.type, validate)
  if (!validate(event as unknown)) throw new Error(`An event is wrong: ${ajv.errorsText(validate.errors)}`)
}
