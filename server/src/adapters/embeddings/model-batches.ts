interface Limits {
  readonly texts: number
  /** Of all texts together, each padded to the longest. */
  readonly length: number
}

/**
 * Groups texts into batches for the model, by their positions in the list. The texts of a batch are padded to the length of
 * its longest, so texts of similar length go together.
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
