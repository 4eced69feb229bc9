import type {
  DecisionType,
  endpoints,
  FullModerationCase,
  Input,
  Label,
  ModerationCase,
  ModerationNotice,
  ModerationTargetType,
  ReportReason,
} from '@rookery/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type CursorList, useCursorList } from './cursor-list.js'
import { asOwner as asSignedIn, useSession } from './session.js'

export type CaseStatus = ModerationCase['status']

/** What a report or a decision is about. */
export interface Target {
  readonly targetType: ModerationTargetType
  readonly targetId: string
}

const WATCH_MS = 15_000

/** The cases of the queue, appeals first. */
export function useCases(status: CaseStatus, targetType: ModerationTargetType | undefined): CursorList<ModerationCase> {
  return useCursorList<ModerationCase>({
    key: ['cases', status, targetType],
    load: (page, call) =>
      asSignedIn((client) =>
        client.listModerationCases({ status, ...(targetType !== undefined && { targetType }), ...page }, call),
      ),
    everyMs: WATCH_MS,
  })
}

const caseKey = (id: string) => ['case', id]

export function useCase(id: string) {
  return useQuery({
    queryKey: caseKey(id),
    queryFn: ({ signal }): Promise<FullModerationCase> =>
      asSignedIn((client) => client.getModerationCase({ id }, { signal })),
  })
}

/** A decision as the form describes it. */
export interface NewDecision extends Target {
  readonly decision: DecisionType
  readonly label?: Label
  readonly reason: string
  readonly note?: string
  readonly until?: string
}

export function useDecide(caseId: string) {
  const refresh = useRefresh(caseId)
  return useMutation({
    mutationFn: (decision: NewDecision) => asSignedIn((client) => client.createDecision(decision)),
    // A refusal often means that another moderator was faster.
    onSettled: refresh,
  })
}

export function useAnswer(caseId: string) {
  const refresh = useRefresh(caseId)
  return useMutation({
    mutationFn: (answer: Input<(typeof endpoints)['answerAppeal']>) =>
      asSignedIn((client) => client.answerAppeal(answer)),
    onSettled: refresh,
  })
}

function useRefresh(caseId: string): () => Promise<unknown> {
  const queries = useQueryClient()
  return () =>
    Promise.all([caseKey(caseId), ['cases'], ['agent']].map((queryKey) => queries.invalidateQueries({ queryKey })))
}

/** Decisions about the agents of who has signed in, newest first. */
export function useNotices(): CursorList<ModerationNotice> {
  const { state } = useSession()
  return useCursorList<ModerationNotice>({
    key: ['notices'],
    load: (page, call) => asSignedIn((client) => client.listModerationNotices(page, call)),
    limit: 10,
    enabled: state === 'in',
  })
}

export function useAppeal() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (appeal: { decisionId: string; text: string }) => asSignedIn((client) => client.createAppeal(appeal)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['notices'] }),
  })
}

// Never as the agent whose key was entered: that key is only for reading.
export function useReport() {
  return useMutation({
    mutationFn: (report: Target & { reason: ReportReason; text?: string }) =>
      asSignedIn((client) => client.createReport(report)),
  })
}
