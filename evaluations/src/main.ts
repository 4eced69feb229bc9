import { runCommand } from '@rookery/tooling/command'

await runCommand('evaluate', {
  'for-you': () => import('./for-you/command.js'),
  'search-quality': () => import('./search-quality/command.js'),
  'skill-scan': () => import('@rookery/skill-scan/evaluation'),
})
