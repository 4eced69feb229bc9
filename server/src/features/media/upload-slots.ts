import { Problem } from '../../base/problem.js'
import type { Config } from '../../config/config.js'
import type { Deps } from '../../deps.js'
import { requireFreeSpace } from '../../foundation/folder/free-space.js'
import { BYTES_PER_MB, chargeUpload, refundUpload } from './allowance.js'

/** The right to send one file. */
export interface UploadSlot {
  /** Corrects the reservation to what has arrived. */
  settle(bytes: number): Promise<void>
  /** Frees the slot; refunds what was reserved unless the file has arrived and counts. */
  release(options: { readonly isCharged: boolean }): Promise<void>
}

/** What a caller says about the size of a file. */
export interface Announced {
  readonly bytes: number
  /** Without a known size, `bytes` is the most that would be accepted. */
  readonly isKnown: boolean
}

export interface UploadSlots {
  /** Reserves the announced size before anything is read. Refuses what the agent or the disk has no room for. */
  take(agentId: string, announced: Announced): Promise<UploadSlot>
}

const MOST_PER_AGENT = 2
const BUSY_RETRY_SECONDS = 5

/** Admits two files at a time of each agent. */
export function createUploadSlots(deps: Pick<Deps, 'db' | 'clock' | 'config' | 'holds'>): UploadSlots {
  let arrivingBytes = 0

  return {
    async take(agentId, announced) {
      const announcedBytes = bytesToReserve(deps.config, announced)
      const key = `upload of ${agentId}`
      const full = await deps.holds.take([{ key, most: MOST_PER_AGENT }])
      if (full) throw new Problem('UPLOADS_BUSY', { retryAfterSeconds: BUSY_RETRY_SECONDS })
      arrivingBytes += announcedBytes
      const day = deps.clock.now()
      try {
        await requireFreeSpace(deps.config, arrivingBytes)
        await chargeUpload(deps, agentId, announcedBytes, day)
      } catch (error) {
        deps.holds.give([key])
        arrivingBytes -= announcedBytes
        throw error
      }
      let reserved = announcedBytes
      let isReleased = false
      return {
        async settle(bytes) {
          if (bytes > reserved) await chargeUpload(deps, agentId, bytes - reserved, day)
          else await refundUpload(deps, agentId, reserved - bytes, day)
          reserved = bytes
        },
        async release({ isCharged }) {
          if (isReleased) return
          isReleased = true
          deps.holds.give([key])
          arrivingBytes -= announcedBytes
          if (!isCharged) await refundUpload(deps, agentId, reserved, day)
        },
      }
    },
  }
}

// The whole allowance of a day is enough for a file of unknown size, which may turn out to be small.
function bytesToReserve(
  { UPLOAD_MB_PER_DAY }: Pick<Config, 'UPLOAD_MB_PER_DAY'>,
  { bytes, isKnown }: Announced,
): number {
  return isKnown || UPLOAD_MB_PER_DAY === 0 ? bytes : Math.min(bytes, UPLOAD_MB_PER_DAY * BYTES_PER_MB)
}
