export { type Lock, lockFolder, socketPath } from './lock.js'
export { findProgram, type ProgramFile, sourceArguments } from './program-file.js'
export { createProgressLine, drawBar, type ProgressLine, type Terminal } from './progress-line.js'
export { writeWhole } from './write-whole.js'
