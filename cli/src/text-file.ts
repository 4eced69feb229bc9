import { readFileSync } from 'node:fs'
import { UsageError } from './failures.js'

export function readTextFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new UsageError(`${file} cannot be read.`)
  }
}
