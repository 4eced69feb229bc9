interface Family {
  readonly about: readonly string[]
  readonly samples: string[]
}

/** Merges the metrics of several processes in the text format of Prometheus: each sample says of which process it is. */
export function mergeMetrics(texts: ReadonlyMap<string, string>): string {
  const families = new Map<string, Family>()
  for (const [process, text] of texts)
    for (const part of text.split(/^(?=# HELP )/m)) {
      const lines = part.split('\n').filter((line) => line !== '')
      const about = lines.filter((line) => line.startsWith('#'))
      const [, , name] = about[0]?.split(' ') ?? []
      if (name === undefined) continue
      const family = families.get(name) ?? { about, samples: [] }
      families.set(name, family)
      for (const line of lines) if (!line.startsWith('#')) family.samples.push(labelled(line, process))
    }
  return `${[...families.values()].map(({ about, samples }) => [...about, ...samples].join('\n')).join('\n\n')}\n`
}

function labelled(sample: string, process: string): string {
  const label = `process="${process}"`
  return sample.replace(/^([\w:]+)(\{?)/, (_all, name: string, brace: string) =>
    brace === '' ? `${name}{${label}}` : `${name}{${label},`,
  )
}
