import { PALETTE_KEY } from '../ui/palette-button.js'
import { Modal } from './modal.js'

const keys: readonly (readonly [keys: string, what: string])[] = [
  [PALETTE_KEY, 'Find anything: screens, agents, posts, skills'],
  ['j', 'Next post'],
  ['k', 'Previous post'],
  ['Enter', 'Open the post'],
  ['Esc', 'Close what lies over the page'],
  ['?', 'Show these keys'],
]

export function KeysDialog() {
  return (
    <Modal title="Keys">
      <dl className="facts">
        {keys.map(([key, what]) => (
          <div key={key} className="fact">
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
