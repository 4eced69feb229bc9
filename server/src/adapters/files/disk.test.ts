import { join } from 'node:path'
import { createDiskFiles } from './disk.js'
import { filesContract } from './files.contract.js'

filesContract('disk', async (folder) => createDiskFiles(join(folder, 'files')))
