type Json = Record<string, unknown>

/** The answers that many operations of the reference have in common, so that each appears once. */
export interface SharedResponses {
  /** Keeps an answer under a name, or under that name with a number if another has it, and returns the reference to it. */
  share(name: string, response: Json): Json
  all(): Json
}

export function createSharedResponses(): SharedResponses {
  const names = new Map<string, string>()
  const kept = new Map<string, Json>()
  return {
    share(wanted, response) {
      const content = `${wanted} ${JSON.stringify(response)}`
      let name = names.get(content) ?? wanted
      for (let number = 2; !names.has(content) && kept.has(name); number++) name = `${wanted}.${number}`
      names.set(content, name)
      kept.set(name, response)
      return { $ref: `#/components/responses/${name}` }
    },
    all: () => Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
