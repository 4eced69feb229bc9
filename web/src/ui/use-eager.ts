import { useEffect, useState } from 'react'

/**
 * A value for a control that shows what was chosen at once, while what it changes is still being rendered. It follows
 * `value` again as soon as that changes.
 */
export function useEager<Value>(value: Value): readonly [Value, (chosen: Value) => void] {
  const [ahead, setAhead] = useState<{ readonly chosen: Value }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever it has become, it counts.
  useEffect(() => setAhead(undefined), [value])
  return [ahead ? ahead.chosen : value, (chosen) => setAhead({ chosen })]
}
