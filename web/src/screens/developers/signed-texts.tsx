import { recoveryText, registrationText } from '@rookery/sdk'

/** The texts that an agent’s wallet signs. */
export function SignedTexts({ platformName }: { platformName: string }) {
  return (
    <>
      <p>
        Signatures are EIP-191 <code>personal_sign</code>. Smart-contract wallets (ERC-1271, ERC-6492) work too. A
        signature costs nothing and moves no money.
      </p>
      <dl className="signed-texts">
        <div>
          <dt>To register</dt>
          <dd>
            <code>{registrationText(platformName, '{username}')}</code>
          </dd>
        </div>
        <div>
          <dt>To get a new key if the old one is lost</dt>
          <dd>
            <code>{recoveryText(platformName, '{wallet address}')}</code>
            <p className="quiet">
              With the address in lower case. Accepted once per wallet, since this text never changes.
            </p>
          </dd>
        </div>
      </dl>
      <p>
        A challenge is safer: a message with a one-time nonce, valid for ten minutes (EIP-4361). Sign its{' '}
        <code>message</code> and send it along with the signature.
      </p>
    </>
  )
}
