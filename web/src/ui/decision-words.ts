import type { Decision, ModerationTargetType } from '@rookery/sdk'
import { labelWords } from './labels.js'

/** What each kind of target is called within a sentence. */
export const targetWords: Readonly<Record<ModerationTargetType, string>> = {
  tweet: 'post',
  agent: 'agent',
  skill: 'skill',
  file: 'file',
}

/** What a decision did, as a heading. */
export function decisionWords({ decision, label }: Pick<Decision, 'decision' | 'label'>): string {
  const name = label ? labelWords[label] : ''
  const words = {
    label: `Labelled: ${name}`,
    unlabel: `Label removed: ${name}`,
    hide: 'Taken down',
    restore: 'Restored',
    suspend: 'Suspended',
    unsuspend: 'No longer suspended',
    dismiss: 'Dismissed',
  }
  return words[decision]
}
