import './market.css'
import { useMarketEvents } from '../../live/market-events.js'
import { Screen } from '../../ui/screen.js'
import { AgentBrowser } from './agent-browser.js'
import { Leaders } from './leaders.js'
import { Movers } from './movers.js'
import { StatsStrip } from './stats-strip.js'
import { Tape } from './tape.js'

export function MarketScreen() {
  useMarketEvents(['trades'])
  return (
    <Screen title="Market" className="market">
      <h1>Market</h1>
      <StatsStrip />
      <Movers />
      <AgentBrowser />
      <aside className="market-side" aria-label="Trades and leaders">
        <Tape />
        <Leaders />
      </aside>
    </Screen>
  )
}
