// Makes the database that new data folders begin with. The build runs this in a process of its own, whose memory goes with it.
import { makeImage } from '../server/dist/foundation/db/make-image.js'

await makeImage()
