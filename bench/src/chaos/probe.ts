import { setTimeout as wait } from 'node:timers/promises'
import { WORD } from '../kills/facts.js'
import type { Writer } from '../kills/write.js'
import { type Crowd, tryOnce } from './clients.js'
import { sendRequest } from './send-request.js'

type Kind = 'reads' | 'writes'
const KINDS: readonly Kind[] = ['reads', 'writes']

/** The longest times without an answered read and write, in milliseconds. */
export type Gaps = Readonly<Record<Kind, number>>

/** Checks continuously whether the service answers. */
export interface Probe {
  gapsSince(moment: number): Gaps
  /** Waits until a few reads and writes in a row have been answered since a moment; false if that takes too long. */
  waitUntilSteady(since: number, withinMs: number): Promise<boolean>
  stop(): Promise<void>
}

const EVERY_MS = 150
const ANSWER_WITHIN_MS = 5_000
const IN_A_ROW = 2

interface Outcome {
  readonly at: number
  readonly isDone: boolean
}

/**
 * Starts a read and a write every few milliseconds, however long the previous ones take. The writers take turns, because
 * the writes of one agent wait for each other.
 */
export function startProbe(crowd: Crowd, writers: readonly Writer[]): Probe {
  const outcomes: Record<Kind, Outcome[]> = { reads: [], writes: [] }
  const underWay = new Set<Promise<void>>()
  const { url, field, findings } = crowd
  let turn = 0
  const nextWriter = () => writers[turn++ % writers.length] as Writer

  const ways: Readonly<Record<Kind, () => Promise<boolean>>> = {
    async reads() {
      const path = `/v1/tweets/${field.tweetIds[0]}`
      const request = { method: 'GET', path, apiKey: nextWriter().apiKey, withinMs: ANSWER_WITHIN_MS }
      return (await sendRequest(url, request, findings)).is === 'done'
    },
    async writes() {
      const writer = nextWriter()
      const { agentId } = writer
      const action = {
        what: 'tweet',
        agentId,
        parentId: null,
        content: `${WORD} ${field.next()} of agent ${agentId}`,
      } as const
      return (await tryOnce(crowd, writer, action, ANSWER_WITHIN_MS)).is === 'done'
    },
  }

  function start(kind: Kind): void {
    const asking = ways[kind]().then((isDone) => {
      outcomes[kind].push({ at: performance.now(), isDone })
      underWay.delete(asking)
    })
    underWay.add(asking)
  }

  let isWriteFirst = false
  const timer = setInterval(() => {
    // In alternating order: the proxy alternates too, and would send all writes to the same web process.
    isWriteFirst = !isWriteFirst
    for (const kind of isWriteFirst ? KINDS.toReversed() : KINDS) start(kind)
  }, EVERY_MS)

  const isSteady = (kind: Kind, since: number) => {
    const last = outcomes[kind].filter(({ at }) => at > since).slice(-IN_A_ROW)
    return last.length === IN_A_ROW && last.every(({ isDone }) => isDone)
  }

  function longestGap(kind: Kind, since: number): number {
    const done = outcomes[kind].filter(({ at, isDone }) => isDone && at > since).map(({ at }) => at)
    return Math.max(...done.map((at, index) => at - (done[index - 1] ?? since)), 0)
  }

  return {
    gapsSince: (moment) => ({ reads: longestGap('reads', moment), writes: longestGap('writes', moment) }),
    async waitUntilSteady(since, withinMs) {
      const until = performance.now() + withinMs
      while (performance.now() < until) {
        if (KINDS.every((kind) => isSteady(kind, since))) return true
        await wait(EVERY_MS / 3)
      }
      return false
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}
