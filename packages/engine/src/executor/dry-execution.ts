import { BlockExecution, type StateReader, type TraceOf } from '@netd/ledger';
import { nextContext, type Tip } from './tip.ts';

/**
 * Returns an execution for CheckTx and simulations. It skips due work, so the cost is constant.
 * @param time milliseconds since 1970
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
