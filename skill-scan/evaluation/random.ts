/** Random numbers that are the same each time, so that the same corpus gives the same weights. */
export function createRandom() {
  let state = 3
  const below = (end: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    // The lower bits repeat soon.
    return Math.floor((state / 2 ** 31) * end)
  }
  return {
    below,
    shuffle(numbers: number[]): void {
      for (let at = numbers.length - 1; at > 0; at--) {
        const other = below(at + 1)
        const moved = numbers[at] as number
        numbers[at] = numbers[other] as number
        numbers[other] = moved
      }
    },
  }
}
