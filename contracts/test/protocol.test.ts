import { type Address, encodeFunctionData, parseEventLogs, toFunctionSelector } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  agentSharesAbi,
  encodeBuy,
  encodeDeployShares,
  encodeLaunch,
  quoteBuy,
  signLaunchPermit,
  subjectAddress,
} from '../ts/index.js'
import { at, deploy } from './chain.js'
import { FAR_FUTURE, type Market, openMarket } from './market.js'

const ZERO = '0x0000000000000000000000000000000000000000'
const TWO_DAYS = 172_800n

let market: Market
beforeEach(async () => {
  market = await openMarket()
})

const proposeOperator = (operator: Address) =>
  encodeFunctionData({ abi: agentSharesAbi, functionName: 'proposeOperator', args: [operator] })
const acceptOperator = encodeFunctionData({ abi: agentSharesAbi, functionName: 'acceptOperator' })
const revokeOperator = encodeFunctionData({ abi: agentSharesAbi, functionName: 'revokeOperator' })
const proposeDestination = (destination: Address) =>
  encodeFunctionData({ abi: agentSharesAbi, functionName: 'proposeProtocolFeeDestination', args: [destination] })
const acceptDestination = encodeFunctionData({ abi: agentSharesAbi, functionName: 'acceptProtocolFeeDestination' })

describe('constructor', () => {
  test('names the operator and the protocol, and tells of it', async () => {
    const { client, shares, operator, protocol } = market
    expect(await shares.read.operator()).toBe(operator.address)
    expect(await shares.read.protocolFeeDestination()).toBe(protocol)
    const logs = await client.getContractEvents({ ...shares, fromBlock: 0n })
    expect(logs).toMatchObject([
      { eventName: 'OperatorChanged', args: { oldOperator: ZERO, newOperator: operator.address } },
      { eventName: 'ProtocolFeeDestinationChanged', args: { oldDestination: ZERO, newDestination: protocol } },
    ])
  })

  test('refuses the zero address for either', async () => {
    const { client, alice } = market
    for (const args of [
      { operator: ZERO, protocolFeeDestination: alice },
      { operator: alice, protocolFeeDestination: ZERO },
    ] as const) {
      await expect(client.call({ data: encodeDeployShares(args) })).rejects.toThrow(toFunctionSelector('ZeroAddress()'))
      await expect(deploy(client, encodeDeployShares(args))).rejects.toThrow('reverted')
    }
  })
})

describe('operator', () => {
  test('changes after two days of notice, and old permits become void', async () => {
    const { chain, client, shares, operator, protocol, alice, bob, permit, send, now } = market
    const { logs } = await send(protocol, proposeOperator(bob))
    const changeableAt = (await now()) + TWO_DAYS
    expect(await shares.read.OPERATOR_DELAY()).toBe(TWO_DAYS)
    expect(await shares.read.proposedOperator()).toBe(bob)
    expect(await shares.read.operatorChangeableAt()).toBe(changeableAt)
    expect(parseEventLogs({ abi: agentSharesAbi, logs })).toMatchObject([
      { eventName: 'OperatorProposed', args: { operator: bob, changeableAt } },
    ])

    await client.setNextBlockTimestamp({ timestamp: changeableAt - 1n })
    const early = send(protocol, acceptOperator)
    await expect(early).rejects.toThrow(`OperatorNotChangeableUntil(${changeableAt})`)
    await client.setNextBlockTimestamp({ timestamp: changeableAt })
    const accepted = await send(protocol, acceptOperator)
    expect(parseEventLogs({ abi: agentSharesAbi, logs: accepted.logs })).toMatchObject([
      { eventName: 'OperatorChanged', args: { oldOperator: operator.address, newOperator: bob } },
    ])
    expect(await shares.read.operator()).toBe(bob)
    expect(await shares.read.proposedOperator()).toBe(ZERO)
    expect(await shares.read.operatorChangeableAt()).toBe(0n)

    const launch = { subject: subjectAddress(alice, 'rook'), name: 'rook' }
    const old = send(alice, encodeLaunch({ ...launch, permit: await permit(alice, 'rook') }))
    await expect(old).rejects.toThrow(`WrongSigner(${operator.address})`)
    const fresh = await signLaunchPermit(at(chain.accounts, 4), {
      chainId: chain.chain.id,
      contract: shares.address,
      owner: alice,
      name: 'rook',
      deadline: FAR_FUTURE,
    })
    await send(alice, encodeLaunch({ ...launch, permit: fresh }))
  })

  test('is proposed and accepted by the protocol alone', async () => {
    const { operator, protocol, alice, send } = market
    await expect(send(alice, proposeOperator(alice))).rejects.toThrow(`NotProtocol(${alice})`)
    const { address } = operator
    await expect(send(address, proposeOperator(address))).rejects.toThrow(`NotProtocol(${address})`)
    await send(protocol, proposeOperator(alice))
    await expect(send(alice, acceptOperator)).rejects.toThrow(`NotProtocol(${alice})`)
  })

  test('cannot be accepted without a proposal', async () => {
    const { protocol, alice, send } = market
    await expect(send(protocol, acceptOperator)).rejects.toThrow('NoOperatorProposed()')
    await send(protocol, proposeOperator(alice))
    await send(protocol, proposeOperator(ZERO))
    await expect(send(protocol, acceptOperator)).rejects.toThrow('NoOperatorProposed()')
  })

  test('is announced anew, with the whole delay, when the proposal changes', async () => {
    const { client, protocol, alice, bob, send, now } = market
    await send(protocol, proposeOperator(alice))
    await client.increaseTime({ seconds: Number(TWO_DAYS) })
    await send(protocol, proposeOperator(bob))
    const changeableAt = (await now()) + TWO_DAYS
    await expect(send(protocol, acceptOperator)).rejects.toThrow(`OperatorNotChangeableUntil(${changeableAt})`)
  })

  test('can be revoked at once by itself or by the protocol, and then nobody launches', async () => {
    const { shares, operator, protocol, alice, permit, send } = market
    await expect(send(alice, revokeOperator)).rejects.toThrow(`NotOperator(${alice})`)
    const { logs } = await send(operator.address, revokeOperator)
    expect(parseEventLogs({ abi: agentSharesAbi, logs })).toMatchObject([
      { eventName: 'OperatorChanged', args: { oldOperator: operator.address, newOperator: ZERO } },
    ])
    expect(await shares.read.operator()).toBe(ZERO)
    await send(protocol, revokeOperator)

    const subject = subjectAddress(alice, 'rook')
    const valid = encodeLaunch({ subject, name: 'rook', permit: await permit(alice, 'rook') })
    await expect(send(alice, valid)).rejects.toThrow(`WrongSigner(${operator.address})`)
    const empty = encodeLaunch({ subject, name: 'rook', permit: `0x${'00'.repeat(65)}${'ff'.repeat(32)}` })
    await expect(send(alice, empty)).rejects.toThrow(`WrongSigner(${ZERO})`)
  })

  test('has no say in trades', async () => {
    const { protocol, alice, bob, launch, send } = market
    const subject = await launch(alice, 'rook')
    await send(protocol, revokeOperator)
    await send(bob, encodeBuy({ subject, amount: 1n }), { value: quoteBuy(1n, 1n).priceAfterFeeWei })
  })
})

describe('protocol fee destination', () => {
  test('passes to another account when that account accepts', async () => {
    const { shares, protocol, bob, send } = market
    const proposed = await send(protocol, proposeDestination(bob))
    expect(await shares.read.protocolFeeDestination()).toBe(protocol)
    expect(await shares.read.proposedProtocolFeeDestination()).toBe(bob)
    const accepted = await send(bob, acceptDestination)
    expect(await shares.read.protocolFeeDestination()).toBe(bob)
    expect(await shares.read.proposedProtocolFeeDestination()).toBe(ZERO)
    expect(parseEventLogs({ abi: agentSharesAbi, logs: [...proposed.logs, ...accepted.logs] })).toMatchObject([
      { eventName: 'ProtocolFeeDestinationProposed', args: { destination: bob } },
      { eventName: 'ProtocolFeeDestinationChanged', args: { oldDestination: protocol, newDestination: bob } },
    ])
    await expect(send(protocol, proposeOperator(protocol))).rejects.toThrow(`NotProtocol(${protocol})`)
  })

  test('is offered by the protocol alone and taken by the offered account alone', async () => {
    const { protocol, alice, bob, send } = market
    await expect(send(alice, proposeDestination(alice))).rejects.toThrow(`NotProtocol(${alice})`)
    await expect(send(alice, acceptDestination)).rejects.toThrow(`NotProposed(${alice})`)
    await send(protocol, proposeDestination(bob))
    await expect(send(alice, acceptDestination)).rejects.toThrow(`NotProposed(${alice})`)
  })

  test('stays when the offer is withdrawn', async () => {
    const { protocol, bob, send } = market
    await send(protocol, proposeDestination(bob))
    await send(protocol, proposeDestination(ZERO))
    await expect(send(bob, acceptDestination)).rejects.toThrow(`NotProposed(${bob})`)
  })
})
