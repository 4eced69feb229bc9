import type { Worker } from 'node:worker_threads'
import type { ScanResult } from '@rookery/api'
import type { KnownNames, Scanned } from '@rookery/skill-scan'
import { startThread } from '../../base/thread.js'

/** What the thread is told. */
export interface ToScanner {
  readonly scanned: Scanned
  readonly known: KnownNames
}

/** What the thread says: that it is ready, then one result after the other. */
export type FromScanner = 'ready' | ScanResult

/** Scans texts one after the other, apart from everything else. */
export interface Scanner {
  /** Answers nothing where the scan takes longer than `withinMs`, or too much memory. */
  scan(scanned: Scanned, known: KnownNames, withinMs: number): Promise<ScanResult | undefined>
  close(): Promise<void>
}

interface Request extends ToScanner {
  readonly withinMs: number
  resolve(result: ScanResult | undefined): void
}

const MAX_HEAP_MB = 256

/** A scanner in a thread, since a text can be made so that the rules take seconds for it. Starts with the first text. */
export function createScanner(): Scanner {
  const waiting: Request[] = []
  let inHand: Request | undefined
  let thread: Worker | undefined
  let isReady = false
  let timer: NodeJS.Timeout | undefined

  function start(): void {
    const started = startThread('./scanner-thread.js', import.meta.url, {}, { maxOldGenerationSizeMb: MAX_HEAP_MB })
    thread = started
    started.on('message', (said: FromScanner) => {
      if (thread !== started) return
      if (said === 'ready') isReady = true
      else answer(said)
      next()
    })
    const ended = () => {
      if (thread === started) giveUp()
    }
    started.once('error', ended)
    started.once('exit', ended)
  }

  function next(): void {
    if (timer) return
    inHand ??= waiting.shift()
    if (!inHand) return
    if (!thread) start()
    if (!thread || !isReady) return
    const { scanned, known, withinMs } = inHand
    timer = setTimeout(giveUp, withinMs)
    thread.postMessage({ scanned, known } satisfies ToScanner)
  }

  function answer(result: ScanResult | undefined): void {
    clearTimeout(timer)
    const request = inHand
    timer = inHand = undefined
    request?.resolve(result)
  }

  // What does not end is ended, and the next text has a new thread.
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
