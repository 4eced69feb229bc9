import { type Command, systemLog } from './command.js'

export const preflightCommand: Command = {
  name: 'preflight',
  arguments: [],
  summary: 'look at everything the configuration names before a start, and change nothing',
  async run(config) {
    const { preflight } = await import('../start/preflight.js')
    const reports = await preflight(config, systemLog)
    const width = Math.max(...reports.map(({ name }) => name.length))
    const lines = reports.map(({ name, finding }) => `${finding.is.padEnd(7)}  ${name.padEnd(width)}  ${finding.text}`)
    return { text: lines.join('\n'), exitCode: reports.some(({ finding }) => finding.is === 'failed') ? 1 : 0 }
  },
}
