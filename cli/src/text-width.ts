const segmenter = new Intl.Segmenter()
const WIDE = /^[\p{ExtPict}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff01-\uff60]/u

/** Counts the terminal columns that a text takes. */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += columnsOf(segment)
  return width
}

/** Truncates a text to at most `columns`. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 1
  for (const { segment } of segmenter.segment(text)) {
    width += columnsOf(segment)
    if (width > columns) break
    kept += segment
  }
  return `${kept}…`
}

function columnsOf(segment: string): number {
  return WIDE.test(segment) ? 2 : 1
}
