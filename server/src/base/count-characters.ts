/** Counts the characters of a text: a surrogate pair is one. Unlike a list of them, this costs nothing for long texts. */
export function countCharacters(text: string): number {
  let characters = text.length
  for (let at = 1; at < text.length; at++)
    if (isBetween(text.charCodeAt(at), 0xdc00) && isBetween(text.charCodeAt(at - 1), 0xd800)) characters--
  return characters
}

// A kind of surrogates has 1,024 codes.
function isBetween(code: number, first: number): boolean {
  return code >= first && code < first + 0x400
}
