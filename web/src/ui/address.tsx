import { CopyButton } from './copy-button.js'

/** A shortened chain address, complete on hover and for copying. */
export function Address({ address, what }: { address: string; what: string }) {
  return (
    <span className="address">
      <code title={address}>
        {address.slice(0, 6)}…{address.slice(-4)}
      </code>
      <CopyButton text={address} what={what} compact />
    </span>
  )
}
