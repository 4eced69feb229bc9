import { expect, test } from 'vitest'
import { threadWorkMs } from './thread-priority.js'

test.runIf(process.platform === 'linux')('the work of a thread is what it did, not what it waited for', () => {
  const before = threadWorkMs()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
  expect(threadWorkMs() - before).toBeLessThan(200)
  // Ends when it has worked: however busy the machine is.
  while (threadWorkMs() < before + 250);
})
