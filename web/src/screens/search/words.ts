const SMALL_WORDS = new Set(
  'a an and are as at be but by for from has have how i if in is it its not of on or so that the their then they this to was we what when where which who why will with you your'.split(
    ' ',
  ),
)
const SHORTEST = 3

/** The words of a search to highlight in its results, without repeats. */
export function wordsOf(q: string): string[] {
  const words = q.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  return [...new Set(words)].filter((word) => word.length >= SHORTEST && !SMALL_WORDS.has(word)).map(stem)
}

// Irregular forms need a real search; plural and past tense are enough here.
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(ies|es|ed|ing|s)$/, '') : word
}
