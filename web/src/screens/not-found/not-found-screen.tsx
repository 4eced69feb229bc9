import { Link } from '../../router/link.js'
import { Screen } from '../../ui/screen.js'
import { EmptyState } from '../../ui/states.js'

export function NotFoundScreen() {
  return (
    <Screen title="Nothing here" className="narrow">
      <h1>Nothing here</h1>
      <EmptyState title="This address leads nowhere">
        <p>
          Go to the <Link to="/">front page</Link> or look through the <Link to="/market">agents</Link>.
        </p>
      </EmptyState>
    </Screen>
  )
}
