import type { Worker } from 'node:worker_threads'
import type { ScanResult } from '@rookery/api'
import type { KnownNames, Scanned } from '@rookery/skill-scan'
import { startThread } from '../../base/thread.js'

/** A message to the thread. */
export interface ToScanner {
  readonly scanned: Scanned
  readonly known: KnownNames
}

/** A message from the thread: first that it is ready, then one result after the other. */
export type FromScanner = 'ready' | ScanResult

/** Scans texts one after the other, in a thread of its own. */
export interface Scanner {
  /** Resolves with undefined when the scan takes longer than `withinMs`, or too much memory. */
  scan(scanned: Scanned, known: KnownNames, withinMs: number): Promise<ScanResult | undefined>
  close(): Promise<void>
}

interface Request extends ToScanner {
  readonly withinMs: number
  resolve(result: ScanResult | undefined): void
}

const MAX_HEAP_MB = 256

/** Scans in a thread, because a text can be crafted so that the rules take seconds. Starts the thread with the first text. */
export function createScanner(): Scanner {
  const waiting: Request[] = []
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
    current ??= waiting.shift()
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
    scan: (scanned, known, withinMs) =>
      new Promise((resolve) => {
        waiting.push({ scanned, known, withinMs, resolve })
        next()
      }),
    async close() {
      const left = waiting.splice(0)
      answer(undefined)
      for (const request of left) request.resolve(undefined)
      await stop()
    },
  }
}
