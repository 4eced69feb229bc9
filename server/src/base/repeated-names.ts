/**
 * Whether a text of JSON names a member twice in one object. Parsers keep the last one, and others that read the text may
 * keep the first. Counting costs little: a text has as many names as its value, unless one was dropped.
 */
export function hasRepeatedName(json: string, value: unknown): boolean {
  return countNames(json) !== countMembers(value)
}

const QUOTE = '"'
const COLON = 0x3a
const BACKSLASH = 0x5c

function countNames(json: string): number {
  let names = 0
  for (let start = json.indexOf(QUOTE); start >= 0; ) {
    let next = endOfText(json, start + 1) + 1
    // In JSON only white space is below this.
    while (json.charCodeAt(next) <= 0x20) next++
    if (json.charCodeAt(next) === COLON) names++
    start = json.indexOf(QUOTE, next)
  }
  return names
}

function endOfText(json: string, from: number): number {
  let end = json.indexOf(QUOTE, from)
  while (isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1)
  return end
}

function isEscaped(json: string, at: number): boolean {
  let slashes = 0
  while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++
  return slashes % 2 === 1
}

// Not by calling itself: a caller chooses the depth.
function countMembers(whole: unknown): number {
  const rest = [whole]
  let members = 0
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value !== 'object' || value === null) continue
    const inside = Object.values(value)
    if (!Array.isArray(value)) members += inside.length
    for (const item of inside) if (typeof item === 'object' && item !== null) rest.push(item)
  }
  return members
}
