/** Spells the name of an endpoint or member for the command line. */
export function kebabCase(name: string): string {
  return name
    .replaceAll('_', '-')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
}

/** Turns a name into a short sentence, for members without a description. */
export function sentenceOf(name: string): string {
  const words = kebabCase(name).replaceAll('-', ' ')
  return `${capitalised(words)}.`
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
