/** An answer of the node that cannot be true. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer'
}
