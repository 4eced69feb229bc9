const LONG_MS = 36 * 3_600_000

const forms = {
  time: new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  date: new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' }),
  both: new Intl.DateTimeFormat('en', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }),
}

/** A moment in the reader’s time zone, as exact as the span of the chart needs. */
export function formatMoment(at: string, spanMs: number): string {
  const form = spanMs < LONG_MS ? forms.time : spanMs < 14 * 24 * 3_600_000 ? forms.both : forms.date
  return form.format(new Date(at))
}
