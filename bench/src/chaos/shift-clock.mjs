// Loaded into a program before everything else: its clock is ahead by as many milliseconds as a file says, from the moment
// on at which SIGUSR2 tells that the file has changed. Timers and performance.now() go on as they were, as they do when a
// machine's clock is set.
import { existsSync, readFileSync } from 'node:fs'

const file = new URL(import.meta.url).searchParams.get('file') ?? ''
const RealDate = Date
let aheadMs = 0

function readFile() {
  aheadMs = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}

const now = () => RealDate.now() + aheadMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})

readFile()
process.on('SIGUSR2', readFile)
