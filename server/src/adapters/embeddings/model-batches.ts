interface Limits {
  readonly texts: number
  /** Of all texts together, each filled up to the longest. */
  readonly length: number
}

/**
 * Puts texts that the model takes together into batches, as their places in the list. The texts of a batch are filled up to
 * the length of its longest, so that those of about the same length go together.
 */
export function batchesOf(lengths: readonly number[], limits: Limits): number[][] {
  const lengthAt = (place: number) => lengths[place] as number
  const batches: number[][] = []
  for (const place of [...lengths.keys()].sort((a, b) => lengthAt(a) - lengthAt(b))) {
    const batch = batches.at(-1)
    const fits = batch && batch.length < limits.texts && (batch.length + 1) * lengthAt(place) <= limits.length
    if (fits) batch.push(place)
    else batches.push([place])
  }
  return batches
}
