/** An answer from the node that cannot be correct. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer'
}
