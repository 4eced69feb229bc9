import { measureGas } from '@rookery/contracts/test/gas'
import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { textTable } from '@rookery/tooling/table'

const HEADING = ['action', 'gas', 'friend.tech', 'ratio', 'friend.tech optimised', 'ratio']

export const command: Command = {
  summary: 'What each action on shares costs in gas, beside friend.tech as deployed and optimised.',
  options: [],
  async run(args) {
    readOptions(args, {})
    const rows = (await measureGas()).map(({ action, gas, friendTech, friendTechOptimised }) => [
      action,
      figure(gas),
      ...beside(gas, friendTech),
      ...beside(gas, friendTechOptimised),
    ])
    console.log(`\n${textTable(HEADING, rows)}`)
  },
}

function figure(gas: number): string {
  return gas.toLocaleString('en')
}

function beside(gas: number, other: number | undefined): [string, string] {
  return other === undefined ? ['-', '-'] : [figure(other), `${(gas / other).toFixed(2)}x`]
}
