import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Interrupted } from './failures.js'

/** Asks the person at the terminal. Questions go to stderr, because stdout may be a pipe. */
export function askOnTerminal(question: string, isSecret: boolean): Promise<string | undefined> {
  const { stdin, stderr } = process
  if (stdin.isTTY !== true || stderr.isTTY !== true) return Promise.resolve(undefined)
  // In terminal mode readline echoes what is typed to its output: for a secret, that output is nothing.
  const output = isSecret ? new Writable({ write: (_, __, done) => done() }) : stderr
  const reader = createInterface({ input: stdin, output, terminal: true })
  if (isSecret) stderr.write(question)
  return new Promise((resolve, reject) => {
    reader.once('SIGINT', () => {
      reader.close()
      stderr.write('\n')
      reject(new Interrupted('Nothing was done.'))
    })
    reader.question(isSecret ? '' : question, (answer) => {
      reader.close()
      if (isSecret) stderr.write('\n')
      resolve(answer)
    })
  })
}
