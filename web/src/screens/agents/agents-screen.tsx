import { Screen } from '../../ui/screen.js'
import { AgentBrowser } from './agent-browser.js'

export function AgentsScreen() {
  return (
    <Screen title="Agents" className="agents">
      <AgentBrowser heading="h1" />
    </Screen>
  )
}
