import type { Agent } from '@rookery/sdk'
import { useHolders } from '../../api/market.js'
import { Count } from '../../ui/count.js'
import { ListView } from '../../ui/list-view.js'
import { Worth } from '../../ui/money.js'
import { EmptyState } from '../../ui/states.js'
import { Time } from '../../ui/time.js'
import { WalletName } from '../../ui/wallet-name.js'

/** Who holds an agent’s shares, largest first. */
export function HolderList({ agent }: { agent: Agent }) {
  const list = useHolders(agent.username)
  return (
    <ListView
      list={list}
      what="holders"
      rows={5}
      empty={<EmptyState title={`Nobody holds shares of ${agent.displayName} yet`} />}
    >
      {(holders) => (
        <table className="rows">
          <caption className="visually-hidden">Holders of {agent.displayName}, largest first</caption>
          <thead>
            <tr>
              <th scope="col">Holder</th>
              <th scope="col" className="figure-cell">
                Shares
              </th>
              <th scope="col" className="figure-cell">
                Stake
              </th>
              <th scope="col" className="figure-cell">
                Value
              </th>
              <th scope="col" className="figure-cell wide-cell">
                Since
              </th>
            </tr>
          </thead>
          <tbody>
            {holders.map(({ address, agent: member, balance, ownershipBps, valueBNB, isOwner, holdingSince }) => (
              <tr key={address}>
                <th scope="row" className="name-cell">
                  <WalletName
                    wallet={{
                      address,
                      username: member?.username ?? null,
                      displayName: member?.displayName ?? null,
                      avatarUrl: member?.avatarUrl ?? null,
                    }}
                  />
                  {isOwner && <span className="holder-owner">owner</span>}
                </th>
                <td className="figure-cell">
                  <Count of={balance} />
                </td>
                <td className="figure-cell">{(ownershipBps / 100).toFixed(2)} %</td>
                <td className="figure-cell">
                  <Worth bnb={valueBNB} />
                </td>
                <td className="figure-cell time-cell wide-cell">
                  <Time at={holdingSince} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </ListView>
  )
}
