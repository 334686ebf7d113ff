import { workerData } from 'node:worker_threads';
import { genesisHash } from '@netd/protocol';
import { systemClock } from '../../chain/clock.ts';
import { SoloSigner } from '../../chain/signer.ts';
import {
  committerWithFailpoints,
  failpointFromPlan,
  signerWithFailpoints,
} from '../../failpoints.ts';
import { Store, storeOptionsOf } from '../../store/store.ts';
import { runThread } from '../host/run-engine.ts';
import { SigningRecord } from './last-signed.ts';
import { openSoloEngine } from './open-solo-engine.ts';
import type { ProducerData } from './producer-thread.ts';

const data = workerData as ProducerData;

await runThread<never>(async (side) => {
  const { genesis, lastSignedPath, validatorId, validatorKey } = data;
  const store = Store.open(data.storePath, storeOptionsOf(genesis));
  const reach = failpointFromPlan(data.failpoint);
  const engine = await openSoloEngine(
    {
      ...data,
      ...(lastSignedPath === undefined
        ? {}
        : { signedBlocks: new SigningRecord(lastSignedPath, genesisHash(genesis)) }),
      store,
      clock: systemClock,
      signer: signerWithFailpoints(new SoloSigner(validatorId, validatorKey), reach),
      committer: committerWithFailpoints(store, reach),
    },
    side,
  );
  return { ...engine, close: () => store.close() };
});
