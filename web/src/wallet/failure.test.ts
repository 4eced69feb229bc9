import { RookeryError } from '@rookery/sdk'
import { describe, expect, test } from 'vitest'
import { explainFailure, WrongAccount } from './failure.js'

const refusal = (message: string, code = 'INVALID_INPUT') => new RookeryError(400, { code, message }, undefined)

describe('explainFailure', () => {
  test.each([
    [{ code: 4001, message: 'User rejected the request.' }, 'You declined it in the wallet'],
    [new Error('MetaMask Tx Signature: User denied transaction signature.'), 'You declined it in the wallet'],
    [{ code: -32_002, message: 'Already processing' }, 'Your wallet is waiting for another answer'],
    [{ code: 4900, message: 'Disconnected' }, 'The wallet is not connected'],
    [{ code: -32_000, message: 'insufficient funds for gas * price + value' }, 'There is not enough BNB in the wallet'],
    [refusal('This wallet cannot pay.', 'INSUFFICIENT_FUNDS'), 'There is not enough BNB in the wallet'],
    [{ code: -32_603, message: 'x', data: { originalError: { code: 4001 } } }, 'You declined it in the wallet'],
  ])('knows %o', (error, title) => {
    expect(explainFailure(error).title).toBe(title)
  })

  test('names what the wallet failed to do', () => {
    const odd = { code: -1, message: 'the moon is full' }
    expect(explainFailure(odd).title).toBe('The wallet did not send it')
    expect(explainFailure(odd, 'sign').title).toBe('The wallet did not sign it')
    expect(explainFailure(odd, 'connect').title).toBe('The wallet did not connect')
    expect(explainFailure(new WrongAccount('Select 0x1.'), 'sign').advice).toBe('Select 0x1.')
  })

  test('passes unknown messages on', () => {
    expect(explainFailure({ code: -1, message: 'the moon is full' }).advice).toBe('It says: the moon is full')
    expect(explainFailure(refusal('Some of the input is not valid.'))).toMatchObject({ code: 'INVALID_INPUT' })
  })
})
