/** A look at what an envelope or an action would do in the next block, for CheckTx and for simulation alike. */
import { BlockExecution, type StateReader, type TraceOf } from '@netd/ledger';
import { nextContext, type Tip } from './tip.ts';

/**
 * An execution after `tip` that opens no block: what is due there has not happened, so that a look costs the same however much
 * that is. It is to be dropped afterwards.
 * @param time milliseconds since 1970; that of the block is later than its predecessor's
 * @param traceOf asked of what is tried, whether it is to be traced
 */
export const dryExecution = (
  state: StateReader,
  tip: Tip,
  time: number,
  traceOf?: TraceOf,
): BlockExecution =>
  new BlockExecution(state, nextContext(tip, time), tip, {
    due: 'skip',
    ...(traceOf ? { traceOf } : {}),
  });
