import type { LoadReply, LoadTask } from './protocol.js'
import { runTask } from './run-task.js'

// A process of its own, so that the one that looks on does not take part, and its CPU time can be told apart.
process.on('message', async (task: LoadTask) => {
  const reply: LoadReply = await runTask(task).then(
    (result) => ({ result }),
    (error: Error) => ({ error: error.message }),
  )
  process.send?.(reply)
})
process.on('disconnect', () => process.exit())
