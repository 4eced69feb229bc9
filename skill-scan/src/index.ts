export { type KnownNames, RULES_VERSION, type Scanned, scanSkill } from './scan.js'
