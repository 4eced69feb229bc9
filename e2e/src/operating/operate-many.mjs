// Runs operator's commands one after the other as `server/dist/operate.js` does, without loading the service anew for each. Every line of the
// standard input is the words of one, as JSON; every line of the standard output its exit code and what it printed.
import { createInterface } from 'node:readline'

const DIST = new URL('../../../server/dist/', import.meta.url)
const [{ findCommand, usage }, { readConfig }] = await Promise.all(
  ['operate/commands.js', 'config/config.js'].map((file) => import(new URL(file, DIST))),
)

async function run(words) {
  const asked = findCommand(words)
  if (!asked) return { code: 2, output: usage() }
  try {
    const outcome = await asked.command.run(readConfig(), asked.args, asked.options)
    return typeof outcome === 'string' ? { code: 0, output: outcome } : { code: outcome.exitCode, output: outcome.text }
  } catch (error) {
    return { code: 1, output: error.stack }
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(line)))}\n`)
