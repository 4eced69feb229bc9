import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export interface SourceFile {
  /** From the top of the repository. */
  readonly path: string
  readonly text: string
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The TypeScript files below a folder of the repository, without tests. */
export async function sourceFiles(folder: string, { tests = false } = {}): Promise<SourceFile[]> {
  const names = await readdir(`${ROOT}${folder}`, { recursive: true }).catch(() => [])
  const wanted = names.filter(
    (name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts') && (tests || !/\.(test|contract)\.tsx?$/.test(name)),
  )
  return Promise.all(
    wanted.map(async (name) => ({
      path: `${folder}/${name}`,
      text: await readFile(`${ROOT}${folder}/${name}`, 'utf8'),
    })),
  )
}
