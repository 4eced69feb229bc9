import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[]
  readonly samples: readonly number[]
  /** Microseconds since the previous sample. */
  readonly timeDeltas: readonly number[]
}

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

/** A function or package and its part of the time in which the program was not idle. */
export interface Cost {
  readonly what: string
  readonly part: number
}

/** The profile of one thread; 0 is the main thread. The embedded database has its own. */
export interface ThreadProfile {
  readonly thread: number
  readonly functions: Cost[]
  readonly packages: Cost[]
}

const LEAST_BUSY_PART = 0.05

/**
 * Reads the costliest functions and packages of each busy thread that wrote a profile to a folder. Only the seconds before
 * the stop request count, because stopping takes a while as well.
 */
export async function readProfiles(folder: string, seconds: number, stoppedFor: number): Promise<ThreadProfile[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile')).sort()
  if (files.length === 0) throw new Error('No profile was written')
  const profiles: ThreadProfile[] = []
  for (const file of files) {
    const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile
    const { busy, ...costs } = costsOf(profile, seconds, stoppedFor)
    if (busy > seconds * 1e6 * LEAST_BUSY_PART) profiles.push({ thread: Number(file.split('.').at(-3)), ...costs })
  }
  return profiles
}

function costsOf({ nodes, samples, timeDeltas }: CpuProfile, seconds: number, stoppedFor: number) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const functions = new Map<string, number>()
  const packages = new Map<string, number>()
  let left = timeDeltas.reduce((sum, time) => sum + time, 0)
  let busy = 0
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id)
    const time = timeDeltas[index] ?? 0
    left -= time
    const isOutside = left > (stoppedFor + seconds) * 1e6 || left < stoppedFor * 1e6
    if (!frame || frame.functionName === '(idle)' || isOutside) continue
    busy += time
    add(functions, `${frame.functionName || '(anonymous)'} ${placeOf(frame)}`, time)
    add(packages, packageOf(frame), time)
  }
  return { busy, functions: sorted(functions, busy), packages: sorted(packages, busy) }
}

function add(sums: Map<string, number>, name: string, time: number): void {
  sums.set(name, (sums.get(name) ?? 0) + time)
}

function sorted(sums: ReadonlyMap<string, number>, whole: number): Cost[] {
  return [...sums].map(([what, time]) => ({ what, part: time / whole })).sort((a, b) => b.part - a.part)
}

function placeOf({ url, lineNumber }: CallFrame): string {
  return url === '' ? '' : `${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`
}

function packageOf({ url, functionName }: CallFrame): string {
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1]
  if (name) return name
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  return url === '' ? functionName : (/(\w+)\/dist\/(\w+)/.exec(url)?.slice(1).join('/') ?? 'program')
}
