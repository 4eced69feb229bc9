import { dirname } from 'node:path'
import type { ChainRefusal } from '@rookery/embedded-chain/refusal'
import { ConfigError } from '../../base/config-error.js'
import { damagedAtPath, foreign, inUse, missing } from './refusals.js'

/** Explains to the operator why the embedded chain does not start, in terms of our variables, and what to do. */
export function explainChainRefusal({ reason }: ChainRefusal): ConfigError {
  switch (reason.is) {
    case 'damaged':
      return damagedAtPath(reason.folder, 'chain', reason.why)
    case 'missing':
      return missing(dirname(reason.folder), 'chain', reason.file)
    case 'foreign':
      return foreign(dirname(reason.folder), 'chain', reason.identity, reason.owner)
    case 'newer':
      return new ConfigError(
        `The embedded chain in ${reason.folder} was made by a newer version: its files are of version ${reason.version}, and ` +
          `this one reads version ${reason.readable}. Install that version, or restore a backup from before the upgrade.`,
      )
    case 'other operator':
      return new ConfigError(
        `OPERATOR_PRIVATE_KEY is not the one the embedded chain in ${reason.folder} was made with (${reason.operator}). ` +
          'Set that one, or choose another DATA_DIR.',
      )
    case 'other bank':
      return new ConfigError(
        `bank-key in ${dirname(reason.folder)} is not the key the embedded chain was made with (${reason.bank}). ` +
          'Restore both from the same backup.',
      )
    case 'folder in use':
      return inUse(reason.folder)
    case 'port in use':
      return new ConfigError(
        `CHAIN_PORT ${reason.port} cannot be used (${reason.code}). Choose another; 0 takes any free one.`,
      )
  }
}
