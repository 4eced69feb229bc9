export interface Findings {
  /** What must never happen: something lost, repeated or miscounted, or a program that gave up. */
  readonly wrong: string[]
  /** Counts an answer other than success, until the notes are taken. */
  note(answer: string): void
  takeNotes(): ReadonlyMap<string, number>
  /** Adds a line to `wrong` unless it is already there. */
  add(wrong: string): void
}

export function createFindings(): Findings {
  const wrong: string[] = []
  let notes = new Map<string, number>()
  return {
    wrong,
    note: (answer) => void notes.set(answer, (notes.get(answer) ?? 0) + 1),
    takeNotes() {
      const taken = notes
      notes = new Map()
      return taken
    },
    add(what) {
      if (!wrong.includes(what)) wrong.push(what)
    },
  }
}
