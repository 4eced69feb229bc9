/** An answer that is JSON already: put together from parts that many callers share. */
export class ReadyJson<T> {
  /** There is no such member; it says what the text would be parsed to. */
  declare readonly value: T

  constructor(readonly text: string | Buffer) {}
}
