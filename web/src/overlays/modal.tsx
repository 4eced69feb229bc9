import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from '../ui/icon.js'
import { overlay } from '../ui/overlay.js'

export const close = () => overlay.set(undefined)

/** A modal dialog: it keeps the focus, closes with Escape or a click beside it, and returns the focus. */
export function Modal({
  title,
  className = '',
  isBare = false,
  children,
}: {
  title: string
  className?: string
  /** Whether the title is only for screen readers. */
  isBare?: boolean
  children: ReactNode
}) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  // The backdrop belongs to the dialog itself, its content to its children.
  function closeBeside({ target }: MouseEvent): void {
    if (target === dialog.current) close()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same.
    <dialog ref={dialog} className={`dialog ${className}`} aria-labelledby={id} onClose={close} onClick={closeBeside}>
      <div className="modal-body">
        <header className={isBare ? 'visually-hidden' : 'modal-head'}>
          <h2 id={id}>{title}</h2>
          {!isBare && (
            <button type="button" className="icon-button" aria-label="Close" onClick={close}>
              <Icon name="close" />
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  )
}
