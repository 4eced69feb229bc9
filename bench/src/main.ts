import { runCommand } from '@rookery/tooling/command'

await runCommand('bench', {
  seed: () => import('./seed/command.js'),
  backfill: () => import('./backfill/command.js'),
  plans: () => import('./plans/command.js'),
  migrations: () => import('./migrations/command.js'),
  'fan-out': () => import('./fan-out/command.js'),
  notifications: () => import('./notifications/command.js'),
  'search-index': () => import('./search-index/command.js'),
  upload: () => import('./upload/command.js'),
  requests: () => import('./requests/command.js'),
  kills: () => import('./kills/command.js'),
  soak: () => import('./soak/command.js'),
  attack: () => import('./attack/command.js'),
  chaos: () => import('./chaos/command.js'),
  'chain-replay': () => import('./chain-replay/command.js'),
  gas: () => import('./gas/command.js'),
  page: () => import('./page/command.js'),
  live: () => import('./live/command.js'),
  operating: () => import('./operating/command.js'),
  map: () => import('./map/command.js'),
})
