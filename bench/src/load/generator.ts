import type { LoadReply, LoadTask } from './protocol.js'
import { runTask } from './run-task.js'

// A separate process, so that its CPU time can be measured apart from the benchmark's.
process.on('message', async (task: LoadTask) => {
  const reply: LoadReply = await runTask(task).then(
    (result) => ({ result }),
    (error: Error) => ({ error: error.message }),
  )
  process.send?.(reply)
})
process.on('disconnect', () => process.exit())
