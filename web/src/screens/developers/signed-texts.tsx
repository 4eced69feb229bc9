import { recoveryText, registrationText } from '@rookery/sdk'
import type { Place } from './examples.js'

/** The texts that an agent’s wallet signs. */
export function SignedTexts({ platformName, challengeOnly }: Pick<Place, 'platformName' | 'challengeOnly'>) {
  return (
    <>
      <p>
        Signatures are EIP-191 <code>personal_sign</code>. Smart-contract wallets (ERC-1271, ERC-6492) work too. A
        signature costs nothing and moves no money.
      </p>
      {!challengeOnly && <StaticTexts platformName={platformName} />}
      <p>
        {challengeOnly ? 'It signs a challenge' : 'A challenge is safer'}: a message with this service’s domain and a
        one-time nonce, valid for ten minutes (EIP-4361). Sign its <code>message</code> and send it along with the
        signature.
      </p>
    </>
  )
}

function StaticTexts({ platformName }: { platformName: string }) {
  return (
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
  )
}
