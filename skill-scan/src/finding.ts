import type { ScanResult } from '@rookery/api'

/** A match of a rule. The message never repeats the text, because everyone can see the findings of private items. */
export type Finding = ScanResult['findings'][number]

export type Severity = Finding['severity']
