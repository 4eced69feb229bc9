import type { Worker } from 'node:worker_threads'
import type { ScanResult } from '@rookery/api'
import type { Embed, KnownNames, Scanned } from '@rookery/skill-scan'
import { Problem } from '../../base/problem.js'
import { startThread } from '../../base/thread.js'
import { createTurns } from './turns.js'

/** What is to be scanned. */
interface Task {
  readonly scanned: Scanned
  readonly known: KnownNames
}

/** A message to the thread: what to scan, and then the vectors for which it asks. */
export type ToScanner = Task | { readonly vectors: Awaited<ReturnType<Embed>> }

/** A message from the thread: first that it is ready, then one result after the other, with texts to embed in between. */
export type FromScanner = 'ready' | { readonly embed: readonly string[] } | ScanResult

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

interface Request extends Task {
  readonly withinMs: number
  resolve(result: ScanResult | undefined): void
}

const MAX_HEAP_MB = 256
const MOST_WAITING = 2
const BUSY_RETRY_SECONDS = 2

/** Scans in a thread, because a text can be crafted so that the rules take seconds. Starts the thread with the first text. */
export function createScanner(embed: Embed): Scanner {
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
      if (typeof message === 'object' && 'embed' in message) return giveVectors(started, message.embed)
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

  async function giveVectors(to: Worker, texts: readonly string[]): Promise<void> {
    const vectors = await inTime(embed(texts), (current?.withinMs ?? 0) / 2)
    if (thread === to) to.postMessage({ vectors } satisfies ToScanner)
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

/** Resolves with nothing when it fails, or takes longer: a scan without vectors is better than none. */
async function inTime<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return Promise.race([promise.catch(() => undefined), late]).finally(() => clearTimeout(timer))
}

function busy(): Problem {
  const message = 'Your other texts are still being scanned. Publish one after the other.'
  return new Problem('RATE_LIMITED', { message, retryAfterSeconds: BUSY_RETRY_SECONDS })
}
