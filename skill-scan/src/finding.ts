import type { ScanResult } from '@rookery/api'

/** Something that a rule found. Its message never repeats the text: findings of private items are shown to everyone. */
export type Finding = ScanResult['findings'][number]

export type Severity = Finding['severity']
