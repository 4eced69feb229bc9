import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[]
  readonly samples: readonly number[]
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[]
}

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

/** Where a program spent its time: a function, and its part of the time in which it was not idle. */
export interface Cost {
  readonly what: string
  readonly part: number
}

/**
 * The costliest functions, and the costliest packages, of the profile that was written to a folder. Only the last
 * seconds count, because before that the program was starting.
 */
export async function readProfile(folder: string, seconds: number): Promise<{ functions: Cost[]; packages: Cost[] }> {
  const [file] = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'))
  if (!file) throw new Error('No profile was written')
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const functions = new Map<string, number>()
  const packages = new Map<string, number>()
  let left = timeDeltas.reduce((sum, time) => sum + time, 0)
  let busy = 0
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id)
    const time = timeDeltas[index] ?? 0
    left -= time
    if (!frame || frame.functionName === '(idle)' || left > seconds * 1e6) continue
    busy += time
    add(functions, `${frame.functionName || '(anonymous)'} ${placeOf(frame)}`, time)
    add(packages, packageOf(frame), time)
  }
  return { functions: sorted(functions, busy), packages: sorted(packages, busy) }
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
