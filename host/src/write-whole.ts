import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file atomically: after a crash it is complete or unchanged. */
export async function writeWhole(file: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.new`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  await syncFolder(dirname(file))
}

/** Makes the names in a folder survive a power cut, where the system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
