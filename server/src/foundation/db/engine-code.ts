// WebAssembly's numbers for system errors.
const CODES: Readonly<Record<number, string>> = { 2: 'EACCES', 19: 'EDQUOT', 51: 'ENOSPC', 63: 'EPERM', 69: 'EROFS' }

/** The system's error code. About its files the embedded engine throws only a number: no Error, no message. */
export function engineCode(error: unknown): string | undefined {
  const { name, errno } = (error ?? {}) as { name?: unknown; errno?: unknown }
  return name === 'ErrnoError' && typeof errno === 'number' ? CODES[errno] : undefined
}
