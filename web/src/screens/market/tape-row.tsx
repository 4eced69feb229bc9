import { type ReactNode, useState } from 'react'

/** One trade on the tape, highlighted briefly when it is new. */
export function TapeRow({ at, children }: { at: number; children: ReactNode }) {
  const [isNew] = useState(() => Date.now() - at * 1000 < 10_000)
  return <li className={isNew ? 'tape-row tape-row-new' : 'tape-row'}>{children}</li>
}
