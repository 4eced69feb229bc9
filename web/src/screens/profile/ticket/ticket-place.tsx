import type { Agent } from '@rookery/sdk'
import { useEffect, useRef, useState } from 'react'
import { navigate, showElement, useLocation } from '../../../router/location.js'
import { Money } from '../../../ui/money.js'
import { useIsNarrow } from '../use-is-narrow.js'
import { Ticket } from './ticket.js'
import { useTrade } from './use-trade.js'

const ID = 'ticket'

/** The place of the ticket: beside the posts, or on a narrow screen in a sheet that a button at the bottom opens. */
export function TicketPlace({ agent }: { agent: Agent }) {
  // Above the two places, so that turning a device keeps a trade that is under way.
  const trade = useTrade()
  const isNarrow = useIsNarrow()
  return isNarrow ? <TicketSheet agent={agent} trade={trade} /> : <TicketPanel agent={agent} trade={trade} />
}

type Place = Parameters<typeof Ticket>[0]

function TicketPanel(props: Place) {
  const panel = useRef<HTMLElement>(null)
  // A link to the ticket arrives before the ticket is drawn.
  useEffect(() => {
    if (panel.current && window.location.hash === `#${ID}`) showElement(panel.current)
  }, [])
  return (
    <section className="panel ticket" id={ID} tabIndex={-1} ref={panel} aria-labelledby="ticket-title">
      <Ticket {...props} />
    </section>
  )
}

function TicketSheet(props: Place) {
  const { agent, trade } = props
  const { hash } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const sheet = useRef<HTMLDialogElement>(null)
  const isShown = isOpen || hash === `#${ID}`
  useEffect(() => {
    if (isShown && sheet.current?.open === false) sheet.current.showModal()
  }, [isShown])

  function close() {
    setOpen(false)
    const { pathname, search } = window.location
    if (window.location.hash === `#${ID}`) navigate(pathname + search, { replace: true })
  }
  return (
    <>
      <div className="ticket-bar">
        <button type="button" className="button button-main" onClick={() => setOpen(true)}>
          {trade.progress ? (
            'Your trade'
          ) : agent.tradeable ? (
            <>
              Buy <span aria-hidden="true">·</span> <Money bnb={agent.sharePriceBNB} />
            </>
          ) : (
            'Launch'
          )}
        </button>
      </div>
      {isShown && (
        <dialog ref={sheet} id={ID} className="ticket-sheet" aria-labelledby="ticket-title" onClose={close}>
          <div className="ticket">
            <form method="dialog" className="ticket-close">
              <strong>{agent.displayName}</strong>
              <button type="submit" className="button button-quiet">
                Close
              </button>
            </form>
            <Ticket {...props} />
          </div>
        </dialog>
      )}
    </>
  )
}
