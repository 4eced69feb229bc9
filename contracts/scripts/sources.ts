import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** Where this workspace lies on the disk. */
export const root = new URL('..', import.meta.url)

/**
 * Solidity that is deployed, and Solidity that only tests use. They are compiled apart: tests know the interface and are
 * handed the very bytes that are deployed.
 */
const groups = {
  contracts: { paths: ['src'], viaIR: true, optimizer: { enabled: true, runs: 1_000_000 } },
  fixtures: {
    paths: ['src/IAgentShares.sol', 'test/fixtures', 'test/solidity'],
    viaIR: false,
    optimizer: { enabled: true },
  },
}

/** The name of a group of sources. */
export type Group = keyof typeof groups

/** What solc is asked to do with a group, in its standard JSON form. Block explorers take the same to verify a contract. */
export function standardInput(group: Group) {
  const { paths, viaIR, optimizer } = groups[group]
  const files = paths.flatMap((path) => (path.endsWith('.sol') ? [path] : solidityIn(path)))
  return {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: readFileSync(new URL(file, root), 'utf8') }])),
    settings: {
      evmVersion: 'cancun',
      viaIR,
      optimizer,
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
}

function solidityIn(folder: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, root)).filter((name) => name.endsWith('.sol'))
  return names.sort().map((name) => `${folder}/${name}`)
}

/** Changes whenever a source or a setting does. Generated files carry it, so that stale ones are found without compiling. */
export function sourcesHash(group: Group): string {
  return createHash('sha256')
    .update(JSON.stringify(standardInput(group)))
    .digest('hex')
}
