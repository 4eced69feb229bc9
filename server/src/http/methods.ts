import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.js'
import type { ShowNotFound } from '../features/pages/not-found-page.js'

/** Answers requests for paths that exist with methods that they do not have. */
export interface Methods {
  /** Refuses them from now on. Must run after all routes have been added. */
  refuseOthers(): void
  /** Answers a request that no route matches. */
  answerUnmatched(request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply>
}

const ROUTED = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'] as const
const open = { access: { auth: 'none', limit: 'none' } } as const

/**
 * Collects the methods of every path as routes are added. Must run before any route is added. `showNotFound` may answer
 * instead where there is nothing.
 */
export function collectMethods(app: FastifyInstance, showNotFound?: ShowNotFound): Methods {
  const literal = new Map<string, Set<string>>()
  const patterns: { readonly shape: RegExp; readonly methods: Set<string> }[] = []
  let isComplete = false

  app.addHook('onRoute', ({ url, method }) => {
    // A CORS preflight is not an endpoint.
    if (isComplete || method === 'OPTIONS') return
    const methods = [method].flat()
    if (!/[:*]/.test(url)) literal.set(url, new Set([...(literal.get(url) ?? []), ...methods]))
    else patterns.push({ shape: shapeOf(url), methods: new Set(methods) })
  })

  /** The methods that the patterns have which match a path. */
  function matchPatterns(path: string): Set<string> {
    return new Set(patterns.flatMap(({ shape, methods }) => (shape.test(path) ? [...methods] : [])))
  }

  // A path without parameters has its own methods alone, even where a pattern with others matches it.
  function methodsAt(path: string): ReadonlySet<string> {
    return literal.get(path) ?? matchPatterns(path)
  }

  function answerUnmatched(request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
    const methods = methodsAt(request.url.split('?', 1)[0] ?? '')
    // With a method of the path, its handler found nothing.
    if (methods.size === 0 || methods.has(request.method)) {
      const shown = showNotFound?.(request, reply)
      if (shown) return shown
      throw new Problem('NOT_FOUND')
    }
    const allow = [...methods, 'OPTIONS'].join(', ')
    reply.header('Allow', allow)
    if (request.method === 'OPTIONS') return reply.code(204).send()
    throw new Problem('METHOD_NOT_ALLOWED', {
      message: `${request.method} is not a method of this path. Use ${allow}.`,
    })
  }

  return {
    answerUnmatched,
    refuseOthers() {
      isComplete = true
      // The router would take the last part of such a path for an id.
      for (const [url, methods] of literal) {
        const matched = matchPatterns(url)
        for (const method of ROUTED)
          if (!methods.has(method) && matched.has(method))
            app.route({ method, url, exposeHeadRoute: false, config: open, handler: answerUnmatched })
      }
    },
  }
}

function shapeOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]*'
    return part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}$`)
}
