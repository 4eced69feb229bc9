import type { Agent, Holder } from '@rookery/sdk'
import { countOf, formatExactCount } from '../../format/count.js'
import { arcOf, MOST_SLICES, slicesOf } from './slices.js'

const OUTER = 50
const INNER = 31

/** The shares of the largest holders as a ring. The table below it is its legend. */
export function HolderRing({ agent, holders }: { agent: Agent; holders: readonly Holder[] }) {
  const slices = slicesOf(holders, agent.totalSupply)
  const [largest] = slices
  if (!largest) return null
  const named = Math.min(holders.length, MOST_SLICES)
  const percent = (part: number) => `${Math.round(part * 100)} %`
  const rest = slices.find(({ address }) => address === undefined)
  const words = `The largest ${named === 1 ? 'holder has' : `${named} holders have`} ${percent(rest?.from ?? 1)} of the shares, the largest of them ${percent(largest.to)}.`
  return (
    <figure className="holder-ring">
      <svg viewBox="-51 -51 102 102" role="img" aria-label={words}>
        {slices.map((slice, index) => (
          <path
            key={slice.address ?? 'rest'}
            className={`slice slice-${slice.address === undefined ? 'rest' : index}`}
            d={arcOf(slice, OUTER, INNER)}
          />
        ))}
        <text y="-1" className="ring-count">
          {formatExactCount(agent.totalSupply)}
        </text>
        <text y="12">{agent.totalSupply === 1 ? 'share' : 'shares'}</text>
      </svg>
      <figcaption>
        <p>{words}</p>
        {rest && (
          <p>
            <Swatch index="rest" /> {countOf(agent.totalHolder - named, 'other holds', 'others hold')}{' '}
            {countOf(rest.shares, 'share', 'shares')}.
          </p>
        )}
      </figcaption>
    </figure>
  )
}

/** The colour of a slice, beside the name that it stands for. */
export function Swatch({ index }: { index: number | 'rest' }) {
  return <span className={`swatch swatch-${index}`} aria-hidden="true" />
}
