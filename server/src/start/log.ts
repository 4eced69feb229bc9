import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/config.js'

interface Terminal {
  readonly isTTY?: boolean
  hasColors?(): boolean
}

const LEVELS: Readonly<Record<number, readonly [name: string, colour: number]>> = {
  10: ['trace', 90],
  20: ['debug', 90],
  30: ['info', 32],
  40: ['warn', 33],
  50: ['error', 31],
  60: ['fatal', 31],
}
const FAINT = 90
// Headers carry keys, tokens and cookies. Libraries log them at the level trace.
const REDACTED = ['headers', '*.headers', '*.*.headers']

/** Creates the log of a program: JSON for collectors, readable lines on a terminal. */
export function createLog(
  { LOG_LEVEL: level, LOG_FORMAT: format }: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>,
  terminal: Terminal = process.stdout,
  // It writes before it returns, so nothing is lost when the process ends.
  out: DestinationStream = pino.destination(1),
): Logger {
  return pino(
    { level, redact: REDACTED },
    isText(format, terminal) ? createTextStream(terminal, out) : gatherLines(out),
  )
}

// One write for the lines of a turn of the event loop: under load each would cost a request as much as its routing. What is more
// than information is written before anything else happens, and all is when the process ends.
const INFORMATION = '{"level":30'

function gatherLines(out: DestinationStream): DestinationStream {
  let lines = ''
  function flush(): void {
    if (lines === '') return
    const gathered = lines
    lines = ''
    out.write(gathered)
  }
  process.on('exit', flush)
  return {
    write(line) {
      if (lines === '') setImmediate(flush)
      lines += line
      if (!line.startsWith(INFORMATION) || lines.length > MOST_GATHERED) flush()
    },
  }
}

const MOST_GATHERED = 64 * 1024

/** Prints what has to be said at any level of the log: by itself where the log is text, and as a line of it where that is JSON. */
export function announce({ LOG_FORMAT }: Pick<Config, 'LOG_FORMAT'>, sentence: string): void {
  if (isText(LOG_FORMAT, process.stdout)) process.stdout.write(`${sentence}\n`)
  else createLog({ LOG_LEVEL: 'info', LOG_FORMAT }).info(sentence)
}

function isText(format: Config['LOG_FORMAT'], terminal: Terminal): boolean {
  return format === 'auto' ? terminal.isTTY === true : format === 'text'
}

function createTextStream(terminal: Terminal, out: DestinationStream): DestinationStream {
  // Node decides by the kind of terminal and by NO_COLOR.
  const hasColours = terminal.isTTY === true && terminal.hasColors?.() === true
  return { write: (line) => void out.write(`${textLine(line, hasColours)}\n`) }
}

/** Formats a line of JSON for people: 12:03:04 warn  what happened: why key=value */
export function textLine(json: string, hasColours: boolean): string {
  const { level, time, msg, message, err, pid: _pid, hostname: _host, ...rest } = JSON.parse(json) as LogLine
  const paint = (text: string, colour: number) => (hasColours ? `\x1b[${colour}m${text}\x1b[0m` : text)
  const [name, colour] = LEVELS[level] ?? [String(level), FAINT]
  const messages = [msg, message, err?.message].filter((text) => text !== undefined).map(printable)
  const pairs = Object.entries(rest).map(([key, value]) => `${paint(`${key}=`, FAINT)}${valueText(value)}`)
  const line = [paint(timeText(time), FAINT), paint(name.padEnd(5), colour), messages.join(': '), ...pairs].join(' ')
  return err?.stack === undefined ? line : `${line}\n${err.stack.split('\n').slice(1).map(printable).join('\n')}`
}

interface LogLine {
  readonly level: number
  readonly time: number
  readonly msg?: string
  readonly message?: string
  readonly err?: { readonly message?: string; readonly stack?: string }
  readonly [key: string]: unknown
}

function timeText(time: number): string {
  return new Date(time).toTimeString().slice(0, 8)
}

function valueText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? printable(value) : printable(JSON.stringify(value))
}

// Text from others must not control the terminal.
function printable(text: string): string {
  return String(text).replace(
    /\p{Cc}|\p{Cf}/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}
