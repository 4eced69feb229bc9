import type { Db } from '../db/db.js'
import type { Deps } from '../deps.js'
import { applyBlocks, LostLogs, undoBlocks } from '../shares/actions.js'
import { findLastBlockOf } from '../shares/queries.js'
import { afterConfirmed } from '../shares/reactions.js'
import { createRangeSize, readRanges } from './backfill.js'
import type { Chain } from './chain.js'
import {
  type Cursor,
  forgetHashes,
  keepHashes,
  LeaseLost,
  type Mark,
  moveCursor,
  openCursor,
  releaseLease,
  takeLease,
} from './cursor.js'
import { type EventBlock, WrongAnswer } from './decode.js'
import { type BlockReader, createBlockReader, type Header, type Tip } from './read-blocks.js'
import { findCommonAncestor } from './reorg.js'
import { createSleep, type Sleep } from './sleep.js'
