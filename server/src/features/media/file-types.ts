// The types of stored files, by file extension.
const types: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
}

const NAME = new RegExp(`^[0-9a-f]{64}\\.(${Object.keys(types).join('|')})$`)

/** Whether a stored file can have this name. */
export function isFileName(name: string): boolean {
  return NAME.test(name)
}

/** The name of the file with this content. */
export function fileName(sha256: string, mimeType: string): string {
  const extension = Object.keys(types).find((candidate) => types[candidate] === mimeType)
  if (!extension) throw new Error(`Files of type ${mimeType} are not stored`)
  return `${sha256}.${extension}`
}

/** The type that a name indicates. */
export function mimeTypeOf(name: string): string {
  return types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}
