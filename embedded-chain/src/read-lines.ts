import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** Reads the lines of a compressed file. An error includes the file name. */
export async function readLines(file: string): Promise<string[]> {
  try {
    return (await promisify(gunzip)(await readFile(file))).toString().split('\n')
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`)
  }
}
