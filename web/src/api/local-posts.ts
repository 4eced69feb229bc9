import type { LocalPost } from '@rookery/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { rookery } from './client.js'
import { type CursorList, useCursorList } from './cursor-list.js'

const postKey = (id: string) => ['local-post', id]

export function useLocalPosts(handle: string | undefined): CursorList<LocalPost> {
  return useCursorList<LocalPost>({
    key: ['local-posts', handle],
    load: (page, call) => rookery.listLocalPosts({ ...page, ...(handle !== undefined && { handle }) }, call),
  })
}

export function useLocalPost(id: string) {
  return useQuery({ queryKey: postKey(id), queryFn: ({ signal }) => rookery.getLocalPost({ id }, { signal }) })
}

export function useCreateLocalPost() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (post: { handle: string; name?: string; text: string }) => rookery.createLocalPost(post),
    onSuccess: (post) => {
      queries.setQueryData(postKey(post.id), post)
      void queries.invalidateQueries({ queryKey: ['local-posts'] })
    },
  })
}
