#!/usr/bin/env node
import { exitCodes } from './exit-codes.js'
import { run } from './run.js'
import { openTerminal } from './terminal.js'

process.exitCode = await run(openTerminal(), process.argv.slice(2))
// What was given up on may still be waiting for an answer.
if (process.exitCode === exitCodes.interrupted) process.exit()
