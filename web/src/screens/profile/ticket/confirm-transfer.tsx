import { Confirm } from './confirm.js'
import type { Receiver } from './receiver.js'
import { Whose } from './whose.js'

/** Asks once more before shares are given away. */
export function ConfirmTransfer({
  shares,
  receiver,
  ...answers
}: {
  /** As in “2 shares”. */
  shares: string
  receiver: Receiver
  isBusy: boolean
  onConfirm: () => void
  onBack: () => void
}) {
  return (
    <Confirm question="Give them away?" action={`Give ${shares} away`} {...answers}>
      <p>
        <strong>You receive nothing for {shares}, and nobody can undo it.</strong>
      </p>
      <Whose receiver={receiver} />
    </Confirm>
  )
}
