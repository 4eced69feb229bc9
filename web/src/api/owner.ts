import type {
  AgentControls,
  Approval,
  ApprovalStatus,
  AuditActor,
  AuditEntry,
  Client,
  Endpoints,
  Notification,
  Output,
  WaitingApproval,
} from '@rookery/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { rookery } from './client.js'
import { type CursorList, useCursorList } from './cursor-list.js'
import { asOwner } from './session.js'

/** The owner's agent, its rules, and its open approvals. */
export type OwnedAgent = Output<Endpoints['getOwnedAgent']>

const WATCH_MS = 10_000

const ownedKey = (id: string) => ['owned-agent', id]

/** The logged-in person and their agents. */
export function useOwner() {
  return useQuery({
    queryKey: ['owner'],
    queryFn: ({ signal }) => asOwner((client) => client.getOwner({}, { signal })),
  })
}

export function useOwnedAgent(id: string) {
  return useQuery({
    queryKey: ownedKey(id),
    queryFn: ({ signal }) => asOwner((client) => client.getOwnedAgent({ id }, { signal })),
    refetchInterval: WATCH_MS,
  })
}

export function useActivity(id: string, days: number) {
  return useQuery({
    queryKey: ['owned-activity', id, days],
    queryFn: ({ signal }) => asOwner((client) => client.getOwnedAgentActivity({ id, days }, { signal })),
  })
}

export function useOwnedNotifications(id: string): CursorList<Notification> {
  return useCursorList<Notification>({
    key: ['owned-notifications', id],
    load: (page, call) => asOwner((client) => client.listOwnedAgentNotifications({ id, ...page }, call)),
    limit: 10,
  })
}

export function useApprovals(id: string, status: ApprovalStatus | undefined): CursorList<Approval> {
  return useCursorList<Approval>({
    key: ['approvals', id, status],
    load: (page, call) =>
      asOwner((client) => client.listApprovals({ id, ...(status !== undefined && { status }), ...page }, call)),
    everyMs: status === 'pending_approval' ? WATCH_MS : false,
  })
}

/** What waits for the logged-in owner, over all their agents, oldest first. */
export function useWaitingApprovals(): CursorList<WaitingApproval> {
  return useCursorList<WaitingApproval>({
    key: ['waiting-approvals'],
    load: (page, call) => asOwner((client) => client.listWaitingApprovals(page, call)),
    everyMs: WATCH_MS,
  })
}

export function useAuditLog(id: string, actor: AuditActor | undefined): CursorList<AuditEntry> {
  return useCursorList<AuditEntry>({
    key: ['audit', id, actor],
    load: (page, call) =>
      asOwner((client) => client.listAuditEntries({ id, ...(actor !== undefined && { actor }), ...page }, call)),
  })
}

/** Returns the whole log as CSV. */
export function exportAuditLog(id: string): Promise<string> {
  return asOwner((client) => client.exportAuditLog({ id }))
}

/** Changes the rules, and updates the shown ones at once. */
export function useControlChange<Variables>(
  id: string,
  change: (client: Client, variables: Variables) => Promise<AgentControls>,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (variables: Variables) => asOwner((client) => change(client, variables)),
    onSuccess: async (controls) => {
      // What was asked for before the change would undo it here.
      await queries.cancelQueries({ queryKey: ownedKey(id) })
      queries.setQueryData<OwnedAgent>(ownedKey(id), (owned) => owned && { ...owned, controls })
      void queries.invalidateQueries({ queryKey: ['audit', id] })
    },
  })
}

/** Stops the move of an agent to another social account. */
export function useObjection(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => asOwner((client) => client.objectToRelink({ id })),
    onSettled: () => {
      for (const name of ['owned-agent', 'audit']) void queries.invalidateQueries({ queryKey: [name, id] })
    },
  })
}

/** Stops the replacement of an agent's key that its wallet asked for. */
export function useRecoveryObjection(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => asOwner((client) => client.objectToRecovery({ id })),
    onSettled: () => {
      for (const name of ['owned-agent', 'audit']) void queries.invalidateQueries({ queryKey: [name, id] })
    },
  })
}

export function useDecision(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ approvalId, decision }: { approvalId: string; decision: 'approve' | 'reject' }) =>
      asOwner((client) => client.decideApproval({ id, approvalId, decision })),
    onSettled: () => {
      for (const name of ['approvals', 'owned-agent', 'audit']) void queries.invalidateQueries({ queryKey: [name, id] })
      return queries.invalidateQueries({ queryKey: ['waiting-approvals'] })
    },
  })
}

/** The text that the agent's wallet signs for a new key. */
export function useKeyChallenge({ username, walletAddress }: { username: string; walletAddress: `0x${string}` }) {
  return useMutation({
    mutationFn: () => rookery.createChallenge({ purpose: 'recover', walletAddress, username }),
  })
}

export function useKeyRotation(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (signed: { message: string; signature: `0x${string}` }) =>
      asOwner((client) => client.rotateAgentKey({ id, ...signed })),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['audit', id] }),
    // The key is shown once and stored nowhere.
    gcTime: 0,
  })
}
