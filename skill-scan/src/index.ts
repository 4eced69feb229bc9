export type { Embed } from './likeness.js'
export { type KnownNames, RULES_VERSION, type Scanned, scanSkill } from './scan.js'
