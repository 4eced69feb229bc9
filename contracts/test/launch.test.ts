import {
  type Address,
  concat,
  getAddress,
  type Hex,
  parseEventLogs,
  parseSignature,
  serializeSignature,
  size,
  slice,
  toHex,
} from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  agentSharesAbi,
  decodePermit,
  encodeDeployShares,
  encodeLaunch,
  encodePermit,
  encodeSell,
  MAX_SUPPLY,
  quoteBuy,
  signLaunchPermit,
  subjectAddress,
} from '../ts/index.js'
import { deploy } from './chain.js'
import { FAR_FUTURE, type Market, openMarket } from './market.js'

let market: Market
beforeEach(async () => {
  market = await openMarket()
})

async function launchWith(owner: Address, permit: Hex, { name = 'rook', amount = 1n, value = 0n } = {}) {
  return market.send(owner, encodeLaunch({ subject: subjectAddress(owner, name), name, permit, amount }), { value })
}

describe('subject', () => {
  test('the contract derives the same address as TypeScript', async () => {
    const { shares, alice, bob } = market
    for (const [owner, name] of [
      [alice, 'rook'],
      [bob, 'rook'],
      [alice, ''],
      [alice, 'a_very_long_name_of_an_agent_9'],
    ] as const) {
      expect((await shares.read.subjectOf([owner, name])).toLowerCase()).toBe(subjectAddress(owner, name))
    }
  })

  test('it is the same whatever the case of the owner address', () => {
    expect(subjectAddress(market.alice.toLowerCase() as Address, 'rook')).toBe(subjectAddress(market.alice, 'rook'))
  })

  test('one wallet launches several agents', async () => {
    const { shares, alice, launch } = market
    const first = await launch(alice, 'rook')
    const second = await launch(alice, 'crow')
    expect(first).not.toBe(second)
    expect(await shares.read.sharesOwner([second])).toBe(alice)
  })

  test('nobody launches at the subject of another owner', async () => {
    const { alice, bob, permit, send } = market
    const subject = subjectAddress(alice, 'rook')
    const squat = encodeLaunch({ subject, name: 'rook', permit: await permit(bob, 'rook') })
    await expect(send(bob, squat)).rejects.toThrow(/^WrongSubject\(/)
  })
})

describe('launch', () => {
  test('gives the owner its first share for nothing', async () => {
    const { shares, alice, permit } = market
    const { logs } = await launchWith(alice, await permit(alice, 'rook'))
    const subject = await shares.read.subjectOf([alice, 'rook'])
    expect(await shares.read.sharesSupply([subject])).toBe(1n)
    expect(await shares.read.sharesBalance([subject, alice])).toBe(1n)
    expect(await shares.read.sharesOwner([subject])).toBe(alice)
    expect(parseEventLogs({ abi: agentSharesAbi, logs })).toMatchObject([
      { eventName: 'Launched', args: { subject, owner: alice, name: 'rook' } },
      {
        eventName: 'Trade',
        args: {
          trader: alice,
          subject,
          isBuy: true,
          shareAmount: 1n,
          ethAmount: 0n,
          protocolEthAmount: 0n,
          subjectEthAmount: 0n,
          supply: 1n,
          traderShareBalance: 1n,
        },
      },
    ])
  })

  test('buys several shares in the same transaction and returns the excess', async () => {
    const { shares, alice, permit, balanceOf } = market
    const before = await balanceOf(alice)
    const { priceAfterFeeWei } = quoteBuy(0n, 5n)
    await launchWith(alice, await permit(alice, 'rook'), { amount: 5n, value: priceAfterFeeWei + 77n })
    expect(await shares.read.sharesBalance([subjectAddress(alice, 'rook'), alice])).toBe(5n)
    expect(await balanceOf(alice)).toBe(before - priceAfterFeeWei)
    expect(await balanceOf(shares.address)).toBe(priceAfterFeeWei)
  })

  test('takes one share by the payable form as well', async () => {
    const { client, shares, alice, permit } = market
    const subject = subjectAddress(alice, 'rook')
    const args = [subject, 'rook', await permit(alice, 'rook'), 1n] as const
    const { request } = await client.simulateContract({ ...shares, functionName: 'launch', args, account: alice })
    await client.writeContract(request)
    expect(await shares.read.sharesSupply([subject])).toBe(1n)
  })

  test('refuses to be paid less than several shares cost', async () => {
    const { alice, permit } = market
    const cost = quoteBuy(0n, 5n).priceAfterFeeWei
    const launching = launchWith(alice, await permit(alice, 'rook'), { amount: 5n, value: cost - 1n })
    await expect(launching).rejects.toThrow(`PaymentTooSmall(${cost}, ${cost - 1n})`)
  })

  test('refuses zero shares and more than there can be', async () => {
    const { alice, permit } = market
    const valid = await permit(alice, 'rook')
    await expect(launchWith(alice, valid, { amount: 0n })).rejects.toThrow('ZeroAmount()')
    await expect(launchWith(alice, valid, { amount: MAX_SUPPLY + 1n })).rejects.toThrow(
      `SupplyTooLarge(0, ${MAX_SUPPLY + 1n})`,
    )
  })

  test('happens once', async () => {
    const { alice, launch, permit } = market
    await launch(alice, 'rook')
    await expect(launchWith(alice, await permit(alice, 'rook'))).rejects.toThrow(/^AlreadyLaunched\(/)
  })

  test('cannot be repeated after everything sellable was sold', async () => {
    const { alice, launch, permit, send } = market
    const subject = await launch(alice, 'rook', 3n)
    await send(alice, encodeSell({ subject, amount: 2n }))
    await expect(launchWith(alice, await permit(alice, 'rook'))).rejects.toThrow(/^AlreadyLaunched\(/)
  })
})

describe('permit', () => {
  test('has 97 bytes and comes apart again', async () => {
    const permit = await market.permit(market.alice, 'rook', 1234n)
    expect(size(permit)).toBe(97)
    expect(decodePermit(permit).deadline).toBe(1234n)
    expect(encodePermit(decodePermit(permit).signature, 1234n)).toBe(permit)
    expect(() => encodePermit('0x12', 1n)).toThrow(RangeError)
    expect(() => decodePermit('0x12')).toThrow(RangeError)
  })

  test('is refused when shorter or longer', async () => {
    const { alice } = market
    const permit = await market.permit(alice, 'rook')
    await expect(launchWith(alice, '0x')).rejects.toThrow('WrongPermitLength(0)')
    await expect(launchWith(alice, slice(permit, 0, 65))).rejects.toThrow('WrongPermitLength(65)')
    await expect(launchWith(alice, slice(permit, 0, 96))).rejects.toThrow('WrongPermitLength(96)')
    await expect(launchWith(alice, concat([permit, '0x00']))).rejects.toThrow('WrongPermitLength(98)')
  })

  test('is valid in the second of its deadline and not after', async () => {
    const { client, alice, permit, now } = market
    const deadline = (await now()) + 100n
    const valid = await permit(alice, 'rook', deadline)
    await client.setNextBlockTimestamp({ timestamp: deadline + 1n })
    await client.mine({ blocks: 1 })
    await expect(launchWith(alice, valid)).rejects.toThrow(`PermitExpired(${deadline})`)
    const later = await permit(alice, 'rook', deadline + 50n)
    await client.setNextBlockTimestamp({ timestamp: deadline + 50n })
    await launchWith(alice, later)
  })

  test('has to be signed by the operator', async () => {
    const { chain, shares, alice, bob } = market
    const launch = {
      chainId: chain.chain.id,
      contract: shares.address,
      owner: alice,
      name: 'rook',
      deadline: FAR_FUTURE,
    }
    const stranger = chain.accounts.find(({ address }) => address === bob)
    const forged = await signLaunchPermit(stranger ?? {}, launch)
    await expect(launchWith(alice, forged)).rejects.toThrow(`WrongSigner(${bob})`)
  })

  test('serves no other owner', async () => {
    const { alice, bob, permit } = market
    await expect(launchWith(bob, await permit(alice, 'rook'))).rejects.toThrow(/^WrongSigner\(0x/)
  })

  test('serves no other name', async () => {
    const { alice, permit } = market
    await expect(launchWith(alice, await permit(alice, 'rook'), { name: 'crow' })).rejects.toThrow(/^WrongSigner\(0x/)
  })

  test('cannot have its deadline moved', async () => {
    const { alice, permit } = market
    const { signature } = decodePermit(await permit(alice, 'rook', 1n))
    await expect(launchWith(alice, encodePermit(signature, FAR_FUTURE))).rejects.toThrow(/^WrongSigner\(0x/)
  })

  test('serves no other contract', async () => {
    const { client, operator, protocol, alice, permit, send } = market
    const twin = await deploy(
      client,
      encodeDeployShares({ operator: operator.address, protocolFeeDestination: protocol }),
    )
    const subject = subjectAddress(alice, 'rook')
    const data = encodeLaunch({ subject, name: 'rook', permit: await permit(alice, 'rook') })
    await expect(send(alice, data, { to: twin })).rejects.toThrow(/^WrongSigner\(0x/)
  })

  test('serves no other chain', async () => {
    const { operator, shares, alice } = market
    const launch = { contract: shares.address, owner: alice, name: 'rook', deadline: FAR_FUTURE }
    const foreign = await signLaunchPermit(operator, { ...launch, chainId: 56 })
    await expect(launchWith(alice, foreign)).rejects.toThrow(/^WrongSigner\(0x/)
  })

  test('is refused with the high twin of its signature', async () => {
    const { alice, permit } = market
    const { signature, deadline } = decodePermit(await permit(alice, 'rook'))
    const { r, s, yParity } = parseSignature(signature)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const high = toHex(order - BigInt(s), { size: 32 })
    const twin = serializeSignature({ r, s: high, yParity: 1 - yParity })
    await expect(launchWith(alice, encodePermit(twin, deadline))).rejects.toThrow(`MalleableSignature(${high})`)
  })

  test('is refused when its signature is none', async () => {
    const { alice } = market
    const nobody = 'WrongSigner(0x0000000000000000000000000000000000000000)'
    await expect(launchWith(alice, encodePermit(`0x${'00'.repeat(65)}`, FAR_FUTURE))).rejects.toThrow(nobody)
    await expect(launchWith(alice, encodePermit(`0x${'11'.repeat(64)}1d`, FAR_FUTURE))).rejects.toThrow(nobody)
  })

  test('is made for the domain that the contract tells', async () => {
    const { client, chain, shares } = market
    expect(await client.getEip712Domain({ address: shares.address })).toMatchObject({
      domain: {
        name: 'AgentShares',
        version: '1',
        chainId: chain.chain.id,
        verifyingContract: getAddress(shares.address),
      },
      fields: '0x0f',
      extensions: [],
    })
  })
})
