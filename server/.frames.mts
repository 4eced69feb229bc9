import { createFilm } from './src/adapters/video/storyboard/film.ts'
import { createRequire } from 'node:module'
import { writeFileSync } from 'node:fs'
const require = createRequire('/tmp/wt/media/server/package.json')
const sharp = require('sharp')
const prompts = process.argv.slice(2)
const W=1280,H=720
const tiles: Buffer[] = []
let cost=0,n=0
for (const prompt of prompts) for (const s of [0.2, 2.6, 5.6]) {
  const film = await createFilm({ prompt, width: W, height: H, seconds: 6 })
  const t=performance.now(); const data = Buffer.from(film(s)); cost+=performance.now()-t; n++
  tiles.push(await sharp(data,{raw:{width:W,height:H,channels:4}}).removeAlpha().resize(640).png().toBuffer())
}
console.log('ms/frame', cost/n)
const rows = prompts.length
await sharp({create:{width:1920,height:360*rows,channels:3,background:'black'}}).composite(tiles.map((input,i)=>({input,left:(i%3)*640,top:Math.floor(i/3)*360}))).png().toFile('/tmp/mediascratch/frames.png')
