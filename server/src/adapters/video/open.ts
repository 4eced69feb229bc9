import { acceptedUploads } from '@rookery/api'
import type { Clock } from '../../base/clock.js'
import type { Config } from '../../config/config.js'
import { createStoryboardMaker } from './local.js'
import { createRemoteMaker } from './remote.js'
import type { VideoMaker } from './video-maker.js'

export function openVideoMaker({ VIDEO, VIDEO_API_KEY }: Config, clock: Clock): VideoMaker {
  if (VIDEO === 'local') return createStoryboardMaker()
  const { maxBytes } = acceptedUploads.video
  return createRemoteMaker({ url: VIDEO, apiKey: VIDEO_API_KEY, maxBytes, now: () => clock.now().getTime() })
}
