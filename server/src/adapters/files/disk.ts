import { copyFile, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Files } from './files.js'

/** Files in a local folder. */
export function createDiskFiles(folder: string): Files {
  // In subfolders by the first letters, since some file systems are slow with many names in one folder.
  const pathOf = (name: string) => join(folder, name.slice(0, 2), name)
  return {
    async keep(name, path) {
      const target = pathOf(name)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await flush(path)
      await move(path, target)
    },
    async read(name, range) {
      const handle = await openFile(pathOf(name))
      return handle?.createReadStream({ ...range, highWaterMark: 256 * 1024 })
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    close: async () => {},
  }
}

// A stored file must survive a power cut.
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

async function move(path: string, target: string): Promise<void> {
  try {
    await rename(path, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    // From another file system the file is copied, but still appears in one step.
    const draft = `${target}.draft`
    await copyFile(path, draft)
    await flush(draft)
    await rename(draft, target)
  }
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
