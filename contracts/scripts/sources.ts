import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** The folder of this workspace. */
export const root = new URL('..', import.meta.url)

/**
 * Solidity that is deployed, and Solidity that only tests use. They are compiled separately: tests know only the
 * interface and run against the exact bytecode that is deployed.
 */
const groups = {
  contracts: { paths: ['src'], viaIR: true, optimizer: { enabled: true, runs: 1_000_000 } },
  fixtures: {
    paths: ['src/IAgentShares.sol', 'test/fixtures', 'test/solidity'],
    viaIR: false,
    optimizer: { enabled: true },
  },
}

export type Group = keyof typeof groups

/** Builds solc's standard JSON input for a group. Block explorers take the same to verify a contract. */
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

/** A hash of sources and settings. Generated files contain it, so stale ones are detected without compiling. */
export function sourcesHash(group: Group): string {
  return createHash('sha256')
    .update(JSON.stringify(standardInput(group)))
    .digest('hex')
}
