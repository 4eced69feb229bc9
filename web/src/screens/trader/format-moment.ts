const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const forms = {
  second: new Intl.DateTimeFormat('en', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }),
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
  return formFor(spanMs).format(new Date(at))
}

function formFor(spanMs: number): Intl.DateTimeFormat {
  if (spanMs < 90 * MINUTE_MS) return forms.second
  if (spanMs < 1.5 * DAY_MS) return forms.time
  return spanMs < 60 * DAY_MS ? forms.both : forms.date
}
