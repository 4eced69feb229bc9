import type { Worker } from 'node:worker_threads'
import type { ScanResult } from '@rookery/api'
import type { KnownNames, Scanned } from '@rookery/skill-scan'
import { Problem } from '../../base/problem.js'
import { startThread } from '../../base/thread.js'
import { createTurns } from './turns.js'

/** A message to the thread. */
export interface ToScanner {
  readonly scanned: Scanned
  readonly known: KnownNames
}

/** A message from the thread: first that it is ready, then one result after the other. */
export type FromScanner = 'ready' | ScanResult

/** For whom a text is scanned, and how long that may take. */
export interface ScanOptions {
  /** The wallet of its creator. Creators take turns. */
  readonly by: string
  readonly withinMs: number
}

/** Scans texts one after the other, in a thread of its own. */
export interface Scanner {
  /**
   * Resolves with undefined when the scan takes longer than `withinMs`, or too much memory. Refuses a text of somebody
   * who has two waiting already.
   */
  scan(scanned: Scanned, known: KnownNames, options: ScanOptions): Promise<ScanResult | undefined>
  close(): Promise<void>
}

interface Request extends ToScanner {
  readonly withinMs: number
  resolve(result: ScanResult | undefined): void
}

const MAX_HEAP_MB = 256
const MOST_WAITING = 2
const BUSY_RETRY_SECONDS = 2

/** Scans in a thread, because a text can be crafted so that the rules take seconds. Starts the thread with the first text. */
export function createScanner(): Scanner {
  const waiting = createTurns<Request>(MOST_WAITING)
  let current: Request | undefined
  let thread: Worker | undefined
  let isReady = false
  let timer: NodeJS.Timeout | undefined

  function start(): void {
    const started = startThread('./scanner-thread.js', import.meta.url, {}, { maxOldGenerationSizeMb: MAX_HEAP_MB })
    thread = started
    started.on('message', (message: FromScanner) => {
      if (thread !== started) return
      if (message === 'ready') isReady = true
      else answer(message)
      next()
    })
    const onEnd = () => {
      if (thread === started) giveUp()
    }
    started.once('error', onEnd)
    started.once('exit', onEnd)
  }

  function next(): void {
    if (timer) return
    current ??= waiting.next()
    if (!current) return
    if (!thread) start()
    if (!thread || !isReady) return
    const { scanned, known, withinMs } = current
    timer = setTimeout(giveUp, withinMs)
    thread.postMessage({ scanned, known } satisfies ToScanner)
  }

  function answer(result: ScanResult | undefined): void {
    clearTimeout(timer)
    const request = current
    timer = current = undefined
    request?.resolve(result)
  }

  // Terminates a scan that does not finish; the next text gets a new thread.
  function giveUp(): void {
    void stop()
    answer(undefined)
    next()
  }

  async function stop(): Promise<void> {
    const stopped = thread
    thread = undefined
    isReady = false
    await stopped?.terminate()
  }

  return {
    scan: (scanned, known, { by, withinMs }) =>
      new Promise((resolve, reject) => {
        if (waiting.add(by, { scanned, known, withinMs, resolve })) next()
        else reject(busy())
      }),
    async close() {
      const left = waiting.clear()
      answer(undefined)
      for (const request of left) request.resolve(undefined)
      await stop()
    },
  }
}

function busy(): Problem {
  const message = 'Your other texts are still being scanned. Publish one after the other.'
  return new Problem('RATE_LIMITED', { message, retryAfterSeconds: BUSY_RETRY_SECONDS })
}
