import { useEffect, useState } from 'react'

const WAIT_MS = 200

/** A value after it has been stable for a moment, so that not every keystroke calls the service. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), WAIT_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
