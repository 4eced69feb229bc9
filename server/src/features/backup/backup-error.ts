/** Why there is no backup, or why one cannot be used: a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
