/** An answer that is already JSON, assembled from parts that many callers share. */
export class ReadyJson<T> {
  /** Exists only as a type: what the text parses to. */
  declare readonly value: T

  constructor(readonly text: string | Buffer) {}
}
