import { BlockExecution, type StateReader, type TraceOf } from '@netd/ledger';
import { nextContext, type Tip } from './tip.ts';

/**
 * Returns an execution after `tip` for CheckTx and simulations. It skips due work, so its cost is constant.
 * Drop it afterwards.
 * @param time milliseconds since 1970; the block's time is later than its predecessor's
 * @param traceOf decides what is traced
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
