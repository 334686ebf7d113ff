/** Makes blocks in a thread of its own, in the same database as everybody reads. See producer-thread.ts. */
import type { Submission } from '@netd/ledger';
import { encodeEnvelope, genesisHash, type JsonObject } from '@netd/protocol';
import { systemClock } from '../../chain/clock.ts';
import { SoloSigner } from '../../chain/signer.ts';
import { openSoloChain } from './open-solo-chain.ts';
import {
  ChangeTracker,
  requireHead,
  runEngine,
  type EngineInThread,
  type EnginePort,
} from '../thread/engine-worker.ts';
import { errorText } from '../thread/error-text.ts';
import {
  committerWithFailpoints,
  failpointFromPlan,
  signerWithFailpoints,
} from '../../failpoints.ts';
import { Mempool } from '../../mempool/mempool.ts';
import { Store, storeOptionsOf } from '../../store/store.ts';
import { runLab } from './lab-channel.ts';
import { SigningRecord } from './last-signed.ts';
import {
  encodeResults,
  type Answers,
  type FromProducer,
  type NumberedResult,
  type PassedEnvelope,
  type ProducerData,
  type ToProducer,
} from './producer-messages.ts';

/** How often somebody looks whether there is something that the operator should hear of. */
const LOOK_MILLISECONDS = 500;

/** Envelopes as they are passed on; the other thread knows which ones have a reservation and are being verified. */
class PassedMempool extends Mempool {
  private more = false;
  private readonly askForArrivals: () => void;
  private arrived: (() => void)[] = [];

  constructor(askForArrivals: () => void) {
    // The other thread has counted them.
    super({ total: Infinity, perAddress: Infinity });
    this.askForArrivals = askForArrivals;
  }

  override arriving(): Promise<void> | null {
    if (!this.more) return null;
    return new Promise((resolve) => {
      this.arrived.push(resolve);
      this.askForArrivals();
    });
  }

  noteMore(more: boolean): void {
    this.more = more;
  }

  noteArrived(): void {
    this.more = false;
    for (const resolve of this.arrived.splice(0)) resolve();
  }
}

class Producer implements EngineInThread<ProducerData> {
  private readonly port: EnginePort<ToProducer, FromProducer>;
  private readonly mempool: PassedMempool;
  private results: NumberedResult[] = [];

  constructor(port: EnginePort<ToProducer, FromProducer>) {
    this.port = port;
    this.mempool = new PassedMempool(() => port.post({ is: 'awaits-arrivals' }));
  }

  /** Makes blocks until it is told to stop. */
  async run(data: ProducerData): Promise<void> {
    const { mempool } = this;
    const { post, onMessage, stopped } = this.port;
    const store = Store.open(data.storePath, storeOptionsOf(data.genesis));
    const reach = failpointFromPlan(data.failpoint);
    const committer = new ChangeTracker(committerWithFailpoints(store, reach));
    const { lastSignedPath, genesis } = data;
    const { chain, consensus } = await openSoloChain({
      ...data,
      ...(lastSignedPath === undefined
        ? {}
        : { signedBlocks: new SigningRecord(lastSignedPath, genesisHash(genesis)) }),
      store,
      mempool,
      clock: systemClock,
      signer: signerWithFailpoints(new SoloSigner(data.validatorId, data.validatorKey), reach),
      committer,
      onClockFault: (fault) => post({ is: 'clock-fault', fault }),
      onClockNotice: (notice) => post({ is: 'clock-notice', notice }),
      onBlockFailure: (error, height) =>
        post({ is: 'block-failure', error: errorText(error), height }),
      onHalt: (error) => this.fail(error),
    });
    requireHead(data.head, chain.head);
    // With the answers of a block goes its head: whoever is answered finds it there.
    chain.onBlock((_height, transitionCount) => {
      const { head } = chain;
      const changed = committer.takeChanged();
      post({ is: 'block', head, transitionCount, changed, answers: this.takeResults() });
    });
    let told = '';
    const look = (): void => {
      const faults = consensus.faults();
      if (faults.join('\n') === told) return;
      told = faults.join('\n');
      post({ is: 'faults', faults });
    };
    look();
    const looking = setInterval(look, LOOK_MILLISECONDS);
    onMessage((message) => {
      if (message.is === 'envelopes') this.take(message.envelopes, message.more);
      else if (message.is === 'lab') void runLab(consensus.lab, message).then(post);
      else mempool.noteArrived();
    });
    consensus.start();
    await stopped;
    await consensus.stop();
    clearInterval(looking);
    this.postResults();
    await store.close();
  }

  fail(error: unknown): void {
    this.port.post({ is: 'halted', error: errorText(error), answers: this.takeResults() });
  }

  private take(envelopes: readonly PassedEnvelope[], more: boolean): void {
    this.mempool.noteMore(more);
    for (const passed of envelopes) {
      const [number] = passed;
      this.mempool.add(submissionOf(passed), (result) => {
        this.results.push([number, result]);
        // The block that they are in takes them along within this turn; what was refused has none.
        if (this.results.length === 1) setImmediate(() => this.postResults());
      });
    }
  }

  private takeResults(): Answers {
    const { results } = this;
    this.results = [];
    return encodeResults(results);
  }

  private postResults(): void {
    if (this.results.length > 0) this.port.post({ is: 'answers', answers: this.takeResults() });
  }
}

function submissionOf([, kind, text, transitionHash, verifiedWith]: PassedEnvelope): Submission {
  const envelope = JSON.parse(text) as JsonObject;
  const encoded = {
    text,
    transitionHash,
    // Needed only where the key in force is not the one it was verified with.
    get signedBytes() {
      return encodeEnvelope(envelope).signedBytes;
    },
  };
  return { kind, envelope, encoded, verifiedWith };
}

await runEngine((port: EnginePort<ToProducer, FromProducer>) => new Producer(port));
