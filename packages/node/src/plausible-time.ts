/** This entry point loads no node. */
import { MADE_ON } from '@netd/protocol/version';

const DAY = 86_400_000;
/** A first block has no block before it, so its time is checked against the release date. */
const EARLIEST_GENESIS = Date.parse(MADE_ON) - 2 * 365 * DAY;
const LATEST_GENESIS = Date.parse(MADE_ON) + 20 * 365 * DAY;
export const isPlausibleTime = (milliseconds: number): boolean =>
  milliseconds >= EARLIEST_GENESIS && milliseconds <= LATEST_GENESIS;
