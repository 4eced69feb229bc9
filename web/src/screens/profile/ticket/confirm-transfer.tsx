import { useEffect, useRef } from 'react'
import type { Receiver } from './receiver.js'
import { Whose } from './whose.js'

/** Asks once more before shares are given away. */
export function ConfirmTransfer({
  shares,
  receiver,
  isBusy,
  onConfirm,
  onBack,
}: {
  /** As in “2 shares”. */
  shares: string
  receiver: Receiver
  isBusy: boolean
  onConfirm: () => void
  onBack: () => void
}) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <section className="confirm-impact" aria-label="Give them away?" tabIndex={-1} ref={box}>
      <p>
        <strong>You receive nothing for {shares}, and nobody can undo it.</strong>
      </p>
      <Whose receiver={receiver} />
      <div className="confirm-choices">
        <button type="button" className="button button-main" aria-disabled={isBusy} onClick={onConfirm}>
          Give {shares} away
        </button>
        <button type="button" className="button button-quiet" onClick={onBack}>
          Go back
        </button>
      </div>
    </section>
  )
}
