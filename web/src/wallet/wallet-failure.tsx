import { explainFailure, type WalletTask } from './failure.js'

export function WalletFailure({ error, task }: { error: Error; task: WalletTask }) {
  const { title, advice } = explainFailure(error, task)
  return (
    <p className="form-failure" role="alert">
      <strong>{title}.</strong> {advice}
    </p>
  )
}
