import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Lists the names of all files below a folder; none when it does not exist. */
export async function listFiles(...folder: string[]): Promise<string[]> {
  const entries = await readdir(join(...folder), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
