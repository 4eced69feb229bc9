import { migrateUnderLoad } from '@rookery/server/test/migrate-under-load'
import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { startPostgres } from '@rookery/tooling/postgres'
import { textTable } from '@rookery/tooling/table'

export const command: Command = {
  summary: 'Applies each newer migration under readers and writers of its tables, and shows who had to wait.',
  options: [['--rows <number>', 'in each of its tables; default 1000000']],
  async run(args) {
    const { rows } = readOptions(args, { rows: 1_000_000 })
    const server = await startPostgres({ fsync: 'off', max_wal_size: '4GB' })
    try {
      const loads = await migrateUnderLoad(server.url('postgres'), () => rows)
      console.log(
        textTable(
          ['migration', 'tables', 'ms', 'longest statement meanwhile, ms', 'waited for a second', 'rewritten'],
          loads.map(({ name, tables, ms, longestMs, waited, rewritten }) => [
            name,
            tables.join(' '),
            ms.toFixed(0),
            longestMs.toFixed(0),
            waited.length,
            rewritten.join(' '),
          ]),
        ),
      )
      if (loads.some(({ waited, rewritten }) => waited.length > 0 || rewritten.length > 0)) process.exitCode = 1
    } finally {
      await server.stop()
    }
  },
}
