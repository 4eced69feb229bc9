import { Icon } from './icon.js'

const form = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** How much a price or value moved, in percent, with its direction in words and colour; a dash when it is not known. */
export function Change({ percent }: { percent: number | null | undefined }) {
  if (percent === null || percent === undefined) return <span className="change change-flat">–</span>
  const way = Math.abs(percent) < 0.05 ? 'flat' : percent > 0 ? 'up' : 'down'
  return (
    <span className={`change change-${way}`}>
      {way !== 'flat' && <Icon name={way} />}
      <span className="visually-hidden">{way === 'flat' ? 'unchanged, ' : `${way} `}</span>
      {form.format(Math.abs(percent))} %
    </span>
  )
}
