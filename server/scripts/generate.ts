import { writeFile } from 'node:fs/promises'
import { generatedFiles } from './generated-files.js'

const root = new URL('../../', import.meta.url)
for (const [path, content] of Object.entries(await generatedFiles())) await writeFile(new URL(path, root), content)
