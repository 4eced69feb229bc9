#!/usr/bin/env node
import { run } from './run.js'
import { openTerminal } from './terminal.js'

process.exitCode = await run(openTerminal(), process.argv.slice(2))
