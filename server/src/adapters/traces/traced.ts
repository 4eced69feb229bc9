import { type Attributes, inSpan, type Traces } from './traces.js'

/** For each method that goes outside: the name of its span, and what else the span says, from the arguments. */
type Described<T> = {
  readonly [Name in keyof T]?: T[Name] extends ((...args: infer Args) => unknown) | undefined
    ? (...args: Args) => { readonly name: string; readonly attributes?: Attributes }
    : never
}

/** The same adapter, whose calls are spans of the trace to which they belong. Without traces it is the adapter itself. */
export function traced<T extends object>(adapter: T, traces: Traces | undefined, described: Described<T>): T {
  if (!traces) return adapter
  const methods = new Map<string | symbol, unknown>()
  for (const [name, describe] of Object.entries(described)) {
    const method: unknown = adapter[name as keyof T]
    if (typeof method !== 'function' || typeof describe !== 'function') continue
    methods.set(name, (...args: unknown[]) =>
      inSpan(
        traces,
        () => ({ kind: 'client', ...(describe as (...args: unknown[]) => { name: string })(...args) }),
        async () => method.apply(adapter, args),
      ),
    )
  }
  // Getters of the adapter stay alive, which a copy would freeze.
  return new Proxy(adapter, { get: (target, name) => methods.get(name) ?? Reflect.get(target, name) })
}
