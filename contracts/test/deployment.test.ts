import { beforeEach, expect, test } from 'vitest'
import { checkDeployment, describeDeployment, planDeployment, sendDeployment } from '../scripts/deployment.js'
import { encodeDeployPriceFeed } from '../ts/index.js'
import { at, deploy, openTestChain, type TestChain } from './chain.js'

let chain: TestChain
beforeEach(async () => {
  chain = await openTestChain({ chainId: 97 })
})

const roles = () => ({
  operator: at(chain.accounts, 1).address,
  protocolFeeDestination: at(chain.accounts, 2).address,
})

test('a plan tells chain, deployer, cost, roles and address, and sends nothing', async () => {
  const [client, deployer] = [chain.client(), at(chain.accounts, 0).address]
  const plan = await planDeployment(client, deployer, roles())
  const text = describeDeployment(plan)
  for (const part of ['97', deployer, `${plan.gas} gas`, plan.address, ...Object.values(roles())]) {
    expect(text).toContain(part)
  }
  expect(await client.getBlockNumber()).toBe(0n)
})

test('a deployment ends at the planned address with the planned roles', async () => {
  const [client, account] = [chain.client(), at(chain.accounts, 0)]
  const plan = await planDeployment(client, account.address, roles())
  await sendDeployment(client, account, plan)
  await checkDeployment(client, plan)
  const wrong = checkDeployment(client, { ...plan, operator: account.address })
  await expect(wrong).rejects.toThrow(`the operator is ${plan.operator}`)
})

test('other code at the address is noticed', async () => {
  const address = await deploy(chain.client(), encodeDeployPriceFeed({ answer: 1n }))
  await expect(checkDeployment(chain.client(), { address, ...roles() })).rejects.toThrow()
})

test('one account for both roles, a zero address, and a poor deployer are refused', async () => {
  const [client, account] = [chain.client(), at(chain.accounts, 0)]
  const { address } = account
  const both = planDeployment(client, address, { operator: address, protocolFeeDestination: address })
  await expect(both).rejects.toThrow('have to differ')
  const zero = '0x0000000000000000000000000000000000000000'
  await expect(planDeployment(client, address, { ...roles(), operator: zero })).rejects.toThrow('zero address')
  const plan = await planDeployment(client, address, roles())
  const poor = { ...plan, balanceWei: 0n, costWei: 1n }
  await expect(sendDeployment(client, account, poor)).rejects.toThrow('cannot pay')
})
