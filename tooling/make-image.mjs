// Makes the image that new data folders start from. The build runs this in a separate process, which frees its memory at the end.
import { makeImage } from '../server/dist/foundation/db/make-image.js'

await makeImage()
