import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { findPrivateFile } from '../private-file.js'
import { configPath } from '../profiles.js'
import type { Terminal } from '../terminal.js'
import { listWallets, walletFolder } from '../wallets/store.js'
import { type Check, failed, failedBy, ok, warning } from './check.js'

const OLDEST_NODE = [20, 19] as const

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
  return isOld
    ? failed('node', `Node ${version}`, `Install Node ${OLDEST_NODE.join('.')} or newer.`)
    : ok('node', `Node ${version}`)
}

/** Whether what is stored can be read, and by its owner alone. */
export function checkStoredFiles({ env }: Pick<Terminal, 'env'>): Check {
  const path = configPath(env)
  try {
    const hasProfiles = findPrivateFile(path) !== undefined
    const wallets = listWallets(env)
    const open = [dirname(path), walletFolder(env)].find(isOpenToOthers)
    if (open !== undefined) return warning('files', `Others can look into ${open}.`, `Run: chmod 700 ${open}`)
    const count = `${wallets.length} ${wallets.length === 1 ? 'wallet' : 'wallets'}`
    return ok('files', hasProfiles ? `${path}, ${count}` : `Nothing is stored in ${path} yet, ${count}.`)
  } catch (error) {
    return failedBy('files', error, 'Repair it as the message says; until then nothing stored is used.')
  }
}

function isOpenToOthers(folder: string): boolean {
  return process.platform !== 'win32' && existsSync(folder) && (statSync(folder).mode & 0o077) !== 0
}
