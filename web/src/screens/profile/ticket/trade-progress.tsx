import { usePlatformConfig } from '../../../api/platform.js'
import { formatExactCount } from '../../../format/count.js'
import { Icon } from '../../../ui/icon.js'
import { type TradeProgress, type TradeStep, tradeSteps } from './use-trade.js'

const words: Readonly<Record<TradeStep, string>> = {
  sign: 'Signed by the wallet',
  block: 'Included in a block',
  pending: 'Seen by the market',
  confirmed: 'Confirmed by more blocks',
  final: 'Final: nothing can undo it',
}

const BACK_TO_QUOTE = 'Back to the quote'

/** The steps of a trade, until it is final. */
export function TradeProgressView({
  progress: { summary, step, isDone, hash, blockNumber, failure },
  done = 'Done. The shares have moved.',
  back = BACK_TO_QUOTE,
  onClear,
}: {
  progress: TradeProgress
  /** What to say at the end. */
  done?: string
  /** The way out after a failure. */
  back?: string
  onClear: () => void
}) {
  const { data: config } = usePlatformConfig()
  const current = tradeSteps.indexOf(step)
  const explorer = config?.chain?.explorerUrl
  return (
    <div className="trade-progress">
      <p className="trade-summary">{summary}</p>
      <ol className="trade-steps">
        {tradeSteps.map((name, index) => {
          const state = index < current || isDone ? 'done' : index > current ? 'ahead' : failure ? 'failed' : 'now'
          return (
            <li
              key={name}
              className={`trade-step trade-step-${state}`}
              {...(state === 'now' && { 'aria-current': 'step' })}
            >
              {state === 'done' && <Icon name="check" />}
              {words[name]}
              {name === 'block' && blockNumber !== undefined && <> ({formatExactCount(blockNumber)})</>}
              <span className="visually-hidden">{heard[state]}</span>
            </li>
          )
        })}
      </ol>
      <div role="status">
        {isDone && <p className="trade-done">{done}</p>}
        {!isDone && !failure && (
          <p className="quiet">{step === 'sign' ? 'Your wallet is asking you to sign.' : 'On its way.'}</p>
        )}
      </div>
      {failure && (
        <div className="form-failure" role="alert">
          <p>
            <strong>{failure.title}.</strong> {failure.advice}
          </p>
          {failure.code && (
            <p className="state-code">
              <code>{failure.code}</code>
            </p>
          )}
        </div>
      )}
      <p className="trade-links">
        {hash && explorer && (
          <a href={`${explorer.replace(/\/$/, '')}/tx/${hash}`} rel="noopener noreferrer">
            Transaction <Icon name="out" />
          </a>
        )}
        {(isDone || failure) && (
          <button type="button" className="button button-quiet" onClick={onClear}>
            {failure || back !== BACK_TO_QUOTE ? back : 'New trade'}
          </button>
        )}
      </p>
    </div>
  )
}

const heard = { done: ' (done)', ahead: ' (not yet)', now: ' (in progress)', failed: ' (failed)' } as const
