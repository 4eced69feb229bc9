/** A text with headers that say something about it, for a document whose bytes must not change. */
export class LabelledText {
  constructor(
    readonly text: string,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}
