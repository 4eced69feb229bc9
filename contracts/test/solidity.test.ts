import { fileURLToPath } from 'node:url'
import {
  type Artifact,
  CANCUN,
  L1_CHAIN_TYPE,
  l1SolidityTestRunnerFactory,
  type SuiteResult,
  type TestResult,
  TestStatus,
} from '@nomicfoundation/edr'
import { expect, test } from 'vitest'
import { agentSharesAbi, agentSharesBytecode, agentSharesRuntimeBytecode } from '../ts/index.js'
import { edrContext } from './chain.js'
import { agentSharesFuzz, agentSharesInvariants, crowd } from './generated/fixtures.js'

test('random numbers do not break a rule', async () => {
  const results = await runSuite(artifact('AgentSharesFuzz', agentSharesFuzz))
  expect(results.map(summary)).toEqual(results.map(({ name }) => `${name}: passed`))
  expect(results).toHaveLength(6)
})

test('random sequences of trades, transfers and claims do not break an invariant', async () => {
  const results = await runSuite(artifact('AgentSharesInvariants', agentSharesInvariants), artifact('Crowd', crowd))
  expect(results.map(summary)).toEqual(results.map(({ name }) => `${name}: passed`))
  expect(results).toHaveLength(4)
  for (const { kind } of results) expect(kind).toMatchObject({ calls: 6000n, reverts: 0n })
  // On a busy machine it takes several times as long.
}, 120_000)

interface Compiled {
  source: string
  abi: readonly object[]
  bytecode: string
  runtimeBytecode: string
}

async function runSuite(suite: Artifact, ...others: Artifact[]): Promise<TestResult[]> {
  const shares = artifact('AgentShares', {
    source: 'src/AgentShares.sol',
    abi: agentSharesAbi,
    bytecode: agentSharesBytecode,
    runtimeBytecode: agentSharesRuntimeBytecode,
  })
  const context = edrContext()
  await context.registerSolidityTestRunnerFactory(L1_CHAIN_TYPE, l1SolidityTestRunnerFactory())
  return new Promise((resolve, reject) => {
    const done = ({ testResults }: SuiteResult) => resolve(testResults)
    const config = {
      projectRoot: fileURLToPath(new URL('..', import.meta.url)),
      hardfork: CANCUN,
      fuzz: { runs: 512 },
      invariant: { runs: 60, depth: 100, failOnRevert: true },
    }
    const artifacts = [suite, shares, ...others]
    context.runSolidityTests(L1_CHAIN_TYPE, artifacts, [suite.id], config, {}, done).catch(reject)
  })
}

function artifact(name: string, { source, abi, bytecode, runtimeBytecode }: Compiled): Artifact {
  return {
    id: { name, source, solcVersion: '0.8.37' },
    contract: { abi: JSON.stringify(abi), bytecode, deployedBytecode: runtimeBytecode },
  }
}

function summary({ name, status, reason, counterexample }: TestResult): string {
  if (status === TestStatus.Success) return `${name}: passed`
  const detail = JSON.stringify(counterexample, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  return `${name}: ${reason} ${detail}`
}
