import { workerData } from 'node:worker_threads';
import { systemClock } from '../../chain/clock.ts';
import { committerWithFailpoints, failpointFromPlan } from '../../failpoints.ts';
import { HALF_THE_CORES, VerifierPool } from '../../mempool/verifier-pool.ts';
import { Store, storeOptionsOf } from '../../store/store.ts';
import { runThread } from '../host/run-engine.ts';
import { CometConsensus, type CometNews } from './comet-consensus.ts';
import type { CometData } from './comet-thread.ts';
import { ledgerWithFailpoints } from './ledger-with-failpoints.ts';

const data = workerData as CometData;

await runThread<CometNews>(async (side) => {
  const store = Store.open(data.storePath, storeOptionsOf(data.genesis));
  const verifier = new VerifierPool(HALF_THE_CORES);
  const reach = failpointFromPlan(data.failpoint);
  const consensus = await CometConsensus.open(
    {
      ...data,
      store,
      verifier,
      committer: committerWithFailpoints(store, reach),
      clock: systemClock,
      between: (ledger) => ledgerWithFailpoints(ledger, reach),
    },
    side,
  );
  const close = async (): Promise<void> => {
    await verifier.close();
    await store.close();
  };
  return { chain: consensus.ledger.chain, consensus, close };
});
