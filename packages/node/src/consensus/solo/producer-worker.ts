/** Makes blocks in a thread of its own, in the same database as everybody reads. See producer-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Submission } from '@netd/ledger';
import { encodeEnvelope, type JsonObject } from '@netd/protocol';
import { systemClock } from '../../chain/clock.ts';
import { SoloSigner } from '../../chain/signer.ts';
import {
  committerWithFailpoints,
  failpointFromPlan,
  signerWithFailpoints,
} from '../../failpoints.ts';
import { Mempool } from '../../mempool/mempool.ts';
import { isKept, Store } from '../../store/store.ts';
import { openSoloChain } from './open-solo-chain.ts';
import {
  encodeResults,
  errorText,
  OUT_OF_DATABASE,
  type FromProducer,
  type NumberedResult,
  type PassedEnvelopes,
  type ProducerData,
  type ToProducer,
} from './producer-messages.ts';

/** How often somebody looks whether there is something that the operator should hear of. */
const LOOK_MILLISECONDS = 500;

/** Envelopes as they are passed on; who has a place and is being verified is known in the other thread. */
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

class Producer {
  private readonly post: (message: FromProducer) => void;
  private readonly mempool: PassedMempool;
  private results: NumberedResult[] = [];

  constructor(post: (message: FromProducer) => void) {
    this.post = post;
    this.mempool = new PassedMempool(() => post({ is: 'awaits-arrivals' }));
  }

  /** Opens the chain and answers messages, until it is told to stop. */
  async run(data: ProducerData, onMessage: (listener: (message: ToProducer) => void) => void) {
    const { post, mempool } = this;
    const store = Store.open(data.storePath);
    const reach = failpointFromPlan(data.failpoint);
    const committer = committerWithFailpoints(store, reach);
    let changed: string[] = [];
    const { chain, consensus } = await openSoloChain({
      ...data,
      store,
      mempool,
      clock: systemClock,
      signer: signerWithFailpoints(new SoloSigner(data.validatorId, data.validatorKey), reach),
      committer: {
        commitBlock(block) {
          changed = [...block.changes.keys()].filter(isKept);
          return committer.commitBlock(block);
        },
      },
      onClockFault: (fault) => post({ is: 'clock-fault', fault }),
      onClockNotice: (notice) => post({ is: 'clock-notice', notice }),
      onBlockFailure: (error, height) =>
        post({ is: 'block-failure', error: errorText(error), height }),
      onHalt: (error) => this.postEnd(error),
    });
    // With the answers of a block goes its head: whoever is answered finds it there.
    chain.onBlock((_height, transitionCount) => {
      const answers = this.takeResults();
      post({ is: 'block', head: chain.head, transitionCount, changed, answers });
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
    const ended = Promise.withResolvers<void>();
    onMessage((message) => {
      if (message.is === 'envelopes') this.take(message.envelopes, message.more);
      else if (message.is === 'arrived') mempool.noteArrived();
      else if (message.is === 'stop') ended.resolve(consensus.stop());
      else leave(data.exit);
    });
    consensus.start();
    post({ is: 'open' });
    await ended.promise;
    clearInterval(looking);
    this.postResults();
    await store.close();
  }

  postEnd(error: unknown): void {
    this.post({ is: 'halted', error: errorText(error), answers: this.takeResults() });
  }

  private take({ numbers, kinds, texts, hashes, verifiedWith }: PassedEnvelopes, more: boolean) {
    this.mempool.noteMore(more);
    for (const [index, number] of numbers.entries()) {
      const submission = submissionOf(kinds[index]!, texts[index]!, hashes[index]!);
      submission.verifiedWith = verifiedWith[index] ?? null;
      this.mempool.add(submission, (result) => {
        this.results.push([number, result]);
        // The block that they are in takes them along within this turn; what was refused has none.
        if (this.results.length === 1) setImmediate(() => this.postResults());
      });
    }
  }

  private takeResults(): string {
    const { results } = this;
    this.results = [];
    return encodeResults(results);
  }

  private postResults(): void {
    if (this.results.length > 0) this.post({ is: 'answers', answers: this.takeResults() });
  }
}

function submissionOf(kind: Submission['kind'], text: string, transitionHash: string): Submission {
  const envelope = JSON.parse(text) as JsonObject;
  const encoded = {
    text,
    transitionHash,
    // Needed only where the key in force is not the one it was verified with.
    get signedBytes() {
      return encodeEnvelope(envelope).signedBytes;
    },
  };
  return { kind, envelope, encoded, verifiedWith: null };
}

/**
 * A process that exits ends its threads wherever they are, and one that is inside the database then aborts it: so this one
 * says that it is outside, and stays there.
 */
function leave(exit: ProducerData['exit']): void {
  Atomics.store(exit, 0, OUT_OF_DATABASE);
  Atomics.notify(exit, 0);
  Atomics.wait(exit, 0, OUT_OF_DATABASE);
}

if (parentPort) {
  const port = parentPort;
  const data = workerData as ProducerData;
  const producer = new Producer((message) => port.postMessage(message));
  try {
    await producer.run(data, (listener) => port.on('message', listener));
  } catch (error) {
    producer.postEnd(error);
  } finally {
    Atomics.store(data.exit, 0, OUT_OF_DATABASE);
    Atomics.notify(data.exit, 0);
    port.close();
  }
}
