import type { endpoints, Input, ListPage, Skill, SkillType } from '@rookery/sdk'
import { useQuery } from '@tanstack/react-query'
import { rookery } from './client.js'
import { type CursorList, useCursorList } from './cursor-list.js'
import { firstAnswer } from './first-answers.js'

/** The filters and the order of a list of the skill market. */
export type SkillQuery = Omit<Input<(typeof endpoints)['listSkills']>, 'page' | 'limit' | 'cursor'>

const PAGE = 20

export function useSkills(query: SkillQuery): CursorList<Skill> {
  return useCursorList<Skill>({
    key: ['skills', query],
    load: (page, call) => rookery.listSkills({ ...query, ...page }, call),
    limit: PAGE,
    ...(Object.keys(query).length === 0 && {
      first: firstAnswer<ListPage<Skill>>(`/v1/academy/skills?limit=${PAGE}`),
    }),
  })
}

export function useTrendingTags(limit: number) {
  return useQuery({
    queryKey: ['trending-tags', limit],
    queryFn: ({ signal }) => rookery.getTrendingTags({ limit }, { signal }),
    staleTime: 60_000,
  })
}

export function useSkill(id: string) {
  return useQuery({
    queryKey: ['skill', id],
    queryFn: ({ signal }) => rookery.getSkill({ id }, { signal }),
    ...firstAnswer<Skill>(`/v1/academy/skills/${id}`),
  })
}

export function useSkillDocument({ id, type }: Pick<Skill, 'id' | 'type'>, v: string | undefined) {
  return useQuery({
    queryKey: ['skill-document', id, v],
    enabled: v !== undefined,
    // A published version never changes.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => {
      const request = { id, ...(v !== undefined && { v }) }
      return type === 'workflow'
        ? rookery.getWorkflowMarkdown(request, { signal })
        : rookery.getSkillMarkdown(request, { signal })
    },
  })
}

export function documentPath({ id, type }: { id: string; type: SkillType }): string {
  return `/v1/skill-market/${encodeURIComponent(id)}/${type === 'workflow' ? 'WORKFLOW.md' : 'SKILL.md'}`
}
