import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { ConfigError } from '../base/config-error.js'
import { isForOthers, nearestName } from './names.js'

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const IN_CAPITALS = /^[A-Z_][A-Z0-9_]*$/
const QUOTES = ['"', "'", '`']

/** Reads the variables of a `.env` file; none if there is no file. A line that makes no sense is an error. */
export function readEnvFile(file: string, knownNames: readonly string[]): Record<string, string | undefined> {
  const text = readText(file)
  if (text === undefined) return {}
  const seen = new Map<string, number>()
  for (const [index, line] of text.split(/\r?\n/).entries()) checkLine(line, index + 1)
  return parseEnv(text)

  // No message shows the value: it may be a secret.
  function checkLine(line: string, number: number): void {
    const content = line.trim()
    if (content === '' || content.startsWith('#')) return
    const split = content.indexOf('=')
    if (split < 0)
      throw new ConfigError(
        `Line ${number} of ${file} has no "=". A line is NAME=value, or a comment that begins with #.`,
      )
    const name = content
      .slice(0, split)
      .replace(/^export\s+/, '')
      .trim()
    checkName(name, number)
    const before = seen.get(name)
    if (before !== undefined)
      throw new ConfigError(`${name} is set twice in ${file}, in lines ${before} and ${number}. Remove one of them.`)
    seen.set(name, number)
    checkQuotes(name, content.slice(split + 1).trim(), number)
  }

  function checkName(name: string, number: number): void {
    if (knownNames.includes(name) || isForOthers(name, knownNames)) return
    const meant = NAME.test(name) ? nearestName(name, knownNames) : undefined
    // Text that is nothing like a name may be part of a secret that was broken into lines.
    if (meant === undefined && !IN_CAPITALS.test(name))
      throw new ConfigError(`Line ${number} of ${file} does not begin with the name of a variable in capitals.`)
    const advice = meant ? `Did you mean ${meant}?` : 'Remove it; .env.example lists all variables.'
    throw new ConfigError(`${name} in ${file} line ${number} is not a variable of Rookery. ${advice}`)
  }

  function checkQuotes(name: string, value: string, number: number): void {
    const quote = QUOTES.find((mark) => value.startsWith(mark))
    if (quote === undefined) return
    const end = value.indexOf(quote, 1)
    if (end < 0) throw new ConfigError(`${name} in ${file} line ${number} has a quote (${quote}) that is not closed.`)
    const rest = value.slice(end + 1).trim()
    if (rest !== '' && !rest.startsWith('#'))
      throw new ConfigError(`${name} in ${file} line ${number} goes on after its closing quote (${quote}).`)
  }
}

function readText(file: string): string | undefined {
  try {
    // Windows editors add a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new ConfigError(
      `${file} cannot be read (${code ?? message}). Let the account that runs Rookery read it, or remove it.`,
    )
  }
}
