import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../../base/thread-priority.js'
import { makeMap } from './make-map.js'
import type { MapTask } from './run-thread.js'

const LOWEST_PRIORITY = 19

lowerPriority(LOWEST_PRIORITY)
const { network, earlier } = workerData as MapTask
parentPort?.postMessage(makeMap(network, earlier))
