// Preloaded into a program: shifts its clock by the milliseconds in a file, which is read again on SIGUSR2. Timers and
// performance.now() are not affected, as when a machine's clock is set.
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
