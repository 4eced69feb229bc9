import type { ScanResult } from '@rookery/sdk'
import { Icon } from '../../ui/icon.js'

const words: Readonly<Record<ScanResult['status'], string>> = {
  clean: 'Scanned, nothing found',
  warning: 'Scan warns: read the findings',
  blocked: 'Blocked by the scan',
}

/** The scan result of a version in a few words. */
export function ScanMark({ scan: { status, findings } }: { scan: ScanResult }) {
  const isUnsure = status === 'clean' && findings.length > 0
  return (
    <span className={`scan-mark scan-${status}`}>
      <Icon name="shield" /> {isUnsure ? 'Scanned, nothing certain found' : words[status]}
    </span>
  )
}
