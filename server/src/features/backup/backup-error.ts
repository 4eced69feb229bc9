/** Why a backup could not be made or used: a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
