import { formatCount, formatExactCount } from '../format/count.js'

/** A short count; every digit on hover. */
export function Count({ of }: { of: number }) {
  return (
    <span className="number" title={formatExactCount(of)}>
      {formatCount(of)}
    </span>
  )
}
