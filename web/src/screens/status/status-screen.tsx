import './status.css'
import { useHealth, usePlatformConfig } from '../../api/platform.js'
import { Screen } from '../../ui/screen.js'
import { ErrorState, Skeleton } from '../../ui/states.js'
import { Time } from '../../ui/time.js'
import { ConfigFacts, Limits } from './config-facts.js'
import { Days } from './days.js'
import { describeHealth, type PartState } from './describe-health.js'
import { Part } from './part.js'

const headlines: Readonly<Record<PartState, string>> = {
  ok: 'Everything works',
  starting: 'It has just started',
  degraded: 'It works, with difficulties',
  unreachable: 'The service cannot be reached',
}

/** Whether the service and everything it stands on work, and how it is set up. */
export function StatusScreen() {
  const config = usePlatformConfig()
  const health = useHealth()
  const { data, isError, isPending, dataUpdatedAt } = health
  const state = isError ? 'unreachable' : (data?.status ?? 'ok')
  return (
    <Screen title="Status" className="status">
      <h1>Status</h1>
      {isPending ? (
        <Skeleton rows={6} label="Asking the service how it is" />
      ) : (
        <div role="status" className={`status-headline status-${state}`}>
          <p className={`service service-${state}`}>{headlines[state]}</p>
          {dataUpdatedAt > 0 && (
            <p className="quiet">
              Checked <Time at={new Date(dataUpdatedAt).toISOString()} />, again every 15 seconds
            </p>
          )}
        </div>
      )}
      {health.error && <ErrorState error={health.error} retry={() => void health.refetch()} />}
      {data && !isError && data.reasons.length > 0 && (
        <ul className="status-reasons">
          {data.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {data && (
        <section className="panel" aria-labelledby="parts-title">
          <h2 id="parts-title">Parts</h2>
          <ul className={isError ? 'status-parts list-outdated' : 'status-parts'}>
            {describeHealth(data, { hasChain: config.data?.chain != null }).map((part) => (
              <Part key={part.name} {...part} />
            ))}
          </ul>
        </section>
      )}
      <Days />
      {config.data && (
        <div className="status-facts">
          <ConfigFacts config={config.data} uptimeSeconds={data?.uptimeSeconds} />
          <Limits limits={config.data.limits} />
        </div>
      )}
      {config.isPending && <Skeleton rows={4} label="Loading the settings" />}
    </Screen>
  )
}
