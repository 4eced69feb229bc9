import { readFile, writeFile } from 'node:fs/promises'

/** The resident set of a process, in MB. Linux only. */
export async function residentMb(pid: number): Promise<number> {
  return readStatus(pid, 'VmRSS')
}

/** The largest resident set since the peak was last reset. */
export async function peakMb(pid: number): Promise<number> {
  return readStatus(pid, 'VmHWM')
}

export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5')
}

async function readStatus(pid: number, name: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? Number.NaN) / 1024
}
