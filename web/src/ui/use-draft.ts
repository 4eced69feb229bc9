import { useEffect, useRef, useState } from 'react'

const WAIT_MS = 250

/** The text of a field while typing. Committed when the reader pauses; a new value from outside replaces it. */
export function useDraft(value: string, commit: (text: string) => void): readonly [string, (text: string) => void] {
  const [draft, setDraft] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const committed = useRef(value)

  useEffect(() => {
    if (value === committed.current) return
    clearTimeout(timer.current)
    committed.current = value
    setDraft(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  function change(text: string): void {
    setDraft(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      committed.current = text.trim()
      commit(text.trim())
    }, WAIT_MS)
  }
  return [draft, change]
}
