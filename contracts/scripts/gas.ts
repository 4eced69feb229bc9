/**
 * Prints what each action costs, beside friend.tech.
 *
 *   node --import tsx scripts/gas.ts
 */
import { measureGas } from '../test/gas.js'

const figure = (gas?: number) => (gas === undefined ? '-' : gas.toLocaleString('en'))
const saving = (gas: number, other?: number) => (other === undefined ? '-' : `${Math.round((gas / other - 1) * 100)} %`)

const lines = (await measureGas()).map(({ action, gas, friendTech, friendTechOptimised }) => [
  action,
  figure(gas),
  figure(friendTech),
  saving(gas, friendTech),
  figure(friendTechOptimised),
  saving(gas, friendTechOptimised),
])
const heads = ['action', 'gas', 'friend.tech', '', 'optimised', '']
for (const [action = '', ...figures] of [heads, ...lines]) {
  console.log(action.padEnd(28) + figures.map((text) => text.padStart(12)).join(''))
}
