/** Counts the ascending `starts` that are not beyond `index`. */
export function countUpTo(starts: readonly number[], index: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= index) low = middle + 1
    else high = middle
  }
  return low
}

/** Creates a function that returns the line at an index, counted from 1. The text is read only once. */
export function lineFinder(text: string): (index: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (index) => countUpTo(starts, index)
}
