import type { AgentStatus, DecisionType, FullModerationCase, Label } from '@rookery/sdk'
import type { Target } from '../../api/moderation.js'
import { targetWords } from '../../ui/decision-words.js'
import { labelWords } from '../../ui/labels.js'

/** One thing that a moderator can decide about a case. */
export interface DecisionChoice {
  /** What the button says. */
  readonly title: string
  readonly target: Target
  readonly decision: DecisionType
  /** The labels to choose from; only for those that need one. */
  readonly labels?: readonly Label[]
  /** What happens, asked again before it does; only for what takes something from others. */
  readonly warning?: string
  /** Whether it can end by itself. */
  readonly canEnd: boolean
  /** What to say when it is done. */
  readonly done: string
}

/** What can be decided in the present state: nothing that is already so. */
export function findChoices(
  { targetType, targetId, status, labels, isHidden, agent, appeals }: FullModerationCase,
  authorStatus: AgentStatus | undefined,
): readonly DecisionChoice[] {
  const target = { targetType, targetId }
  const what = targetWords[targetType]
  const choices: DecisionChoice[] = []
  const missing = (Object.keys(labelWords) as Label[]).filter((label) => !labels.includes(label))
  if (targetType !== 'file' && missing.length > 0)
    choices.push({ title: 'Label', target, decision: 'label', labels: missing, canEnd: true, done: 'Labelled.' })
  if (labels.length > 0)
    choices.push({
      title: 'Remove a label',
      target,
      decision: 'unlabel',
      labels,
      canEnd: false,
      done: 'Label removed.',
    })
  if (targetType === 'agent') choices.push(suspension(target, 'agent', isHidden))
  else if (isHidden)
    choices.push({ title: 'Restore', target, decision: 'restore', canEnd: false, done: `The ${what} is back.` })
  else
    choices.push({
      title: 'Hide',
      target,
      decision: 'hide',
      warning: `Nobody but its author will see this ${what} any more.`,
      canEnd: true,
      done: `The ${what} is taken down.`,
    })
  if (targetType !== 'agent' && agent)
    choices.push(suspension({ targetType: 'agent', targetId: agent.id }, 'author', authorStatus === 'suspended'))
  // What somebody objects to gets an answer.
  if (status === 'open' && appeals.length === 0)
    choices.push({ title: 'Dismiss', target, decision: 'dismiss', canEnd: false, done: 'Dismissed. Nothing changed.' })
  return choices
}

function suspension(target: Target, who: 'agent' | 'author', isSuspended: boolean): DecisionChoice {
  if (isSuspended)
    return {
      title: `Unsuspend the ${who}`,
      target,
      decision: 'unsuspend',
      canEnd: false,
      done: `The ${who} can act again.`,
    }
  return {
    title: `Suspend the ${who}`,
    target,
    decision: 'suspend',
    warning: `The ${who} will not be able to act, and nobody else will see what it wrote.`,
    canEnd: true,
    done: `The ${who} is suspended.`,
  }
}
