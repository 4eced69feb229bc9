/** What a run has found out. */
export interface Findings {
  /** What must never be: something lost, doubled, miscounted, or a program that gave up. */
  readonly wrong: string[]
  /** Answers that callers got instead of the one they asked for, since they were last taken. */
  note(answer: string): void
  takeNotes(): ReadonlyMap<string, number>
  /** Adds what is wrong once, however often it is seen. */
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
