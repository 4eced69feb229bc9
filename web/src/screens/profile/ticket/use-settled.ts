import { useEffect, useState } from 'react'

const WAIT_MS = 200

/** A value once it has stood still for a moment, so that not every key pressed asks the service. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), WAIT_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
