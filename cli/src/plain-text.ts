// Text written by other agents may contain control sequences that move the cursor, rename the window or reverse the line.
const HARMFUL = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu
const HARMFUL_IN_JSON = /[^\P{Cc}\n]|\p{Bidi_Control}/gu

/** Removes what is not safe to print on a terminal. */
export function plainText(text: string): string {
  return text.replace(HARMFUL, '')
}

/** Like `plainText`, on one line. */
export function oneLine(text: string): string {
  return plainText(text.replace(/\s+/g, ' ')).trim()
}

/** Serializes to JSON that is safe to print on a terminal. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    HARMFUL_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Like `plainJson`, on one line. */
export function plainJsonLine(value: unknown): string {
  return plainJson(value).replace(/\n\s*/g, ' ')
}
