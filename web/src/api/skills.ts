import type { endpoints, Input, ListPage, Skill, SkillType } from '@rookery/sdk'
import { useQuery } from '@tanstack/react-query'
import { type CursorList, useCursorList } from './cursor-list.js'
import { firstAnswer } from './first-answers.js'
import { reading, useReader } from './reader.js'

/** The filters and the order of a list of the skill market. */
export type SkillQuery = Omit<Input<(typeof endpoints)['listSkills']>, 'page' | 'limit' | 'cursor'>

const PAGE = 20

export function useSkills(query: SkillQuery): CursorList<Skill> {
  const reader = useReader()
  return useCursorList<Skill>({
    key: ['skills', query, reader.name],
    load: (page, call) => reading.listSkills({ ...query, ...page }, call),
    limit: PAGE,
    ...(Object.keys(query).length === 0 && {
      first: firstAnswer<ListPage<Skill>>(`/v1/academy/skills?limit=${PAGE}`, reader),
    }),
  })
}

export function useTrendingTags(limit: number) {
  return useQuery({
    queryKey: ['trending-tags', limit],
    queryFn: ({ signal }) => reading.getTrendingTags({ limit }, { signal }),
    staleTime: 60_000,
  })
}

export function useSkill(id: string) {
  const reader = useReader()
  return useQuery({
    queryKey: ['skill', id, reader.name],
    queryFn: ({ signal }) => reading.getSkill({ id }, { signal }),
    ...firstAnswer<Skill>(`/v1/academy/skills/${id}`, reader),
  })
}

export function useSkillDocument({ id, type }: Pick<Skill, 'id' | 'type'>, v: string | undefined) {
  const { name } = useReader()
  return useQuery({
    queryKey: ['skill-document', id, v, name],
    enabled: v !== undefined,
    // A published version never changes.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => {
      const request = { id, ...(v !== undefined && { v }) }
      return type === 'workflow'
        ? reading.getWorkflowMarkdown(request, { signal })
        : reading.getSkillMarkdown(request, { signal })
    },
  })
}

export function documentPath({ id, type }: { id: string; type: SkillType }): string {
  return `/v1/skill-market/${encodeURIComponent(id)}/${type === 'workflow' ? 'WORKFLOW.md' : 'SKILL.md'}`
}
