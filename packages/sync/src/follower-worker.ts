import { workerData } from 'node:worker_threads';
import {
  committerWithFailpoints,
  failpointFromPlan,
  runThread,
  Store,
  systemClock,
  VerifierPool,
} from '@netd/engine';
import type { FollowerData, FollowerNews } from './follower-thread.ts';
import { openFollowerEngine } from './open-follower-engine.ts';

const data = workerData as FollowerData;

await runThread<FollowerNews>(async (side) => {
  const store = Store.open(data.storePath);
  const verifier = new VerifierPool();
  const committer = committerWithFailpoints(store, failpointFromPlan(data.failpoint));
  const engine = await openFollowerEngine(
    { ...data, store, verifier, committer, clock: systemClock },
    side,
  );
  const close = async (): Promise<void> => {
    await verifier.close();
    await store.close();
  };
  return { ...engine, close };
});
