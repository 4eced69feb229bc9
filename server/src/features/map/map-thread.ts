import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority, threadWorkMs } from '../../base/thread-priority.js'
import { makeMap } from './make-map.js'
import type { DrawnMap, MapTask } from './run-thread.js'

const LOWEST_PRIORITY = 19

lowerPriority(LOWEST_PRIORITY)
const { network, earlier } = workerData as MapTask
const map = makeMap(network, earlier)
parentPort?.postMessage({ map, workMs: threadWorkMs() } satisfies DrawnMap)
