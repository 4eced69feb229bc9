import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The names of all files below a folder; none when it is not there. */
export async function listedFiles(...folder: string[]): Promise<string[]> {
  const entries = await readdir(join(...folder), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
