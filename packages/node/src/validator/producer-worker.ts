/** Makes blocks in a thread of its own, in the same database as everybody reads. See producer-thread.ts. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { Submission } from '@netd/ledger';
import { encodeEnvelope, type JsonObject } from '@netd/protocol';
import { UnexpectedHeadError } from '../chain/chain.ts';
import { systemClock } from '../chain/clock.ts';
import { SoloSigner } from '../chain/signer.ts';
import { enterGate, leaveForGood, leaveGate } from '../database-gate.ts';
import { committerWithFailpoints, failpointFromPlan, signerWithFailpoints } from '../failpoints.ts';
import { Mempool } from '../mempool/mempool.ts';
import { isKept, Store } from '../store/store.ts';
import { openSoloChain } from '../consensus/solo/open-solo-chain.ts';
import {
  encodeResults,
  errorText,
  type Answers,
  type FromProducer,
  type NumberedResult,
  type PassedEnvelope,
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
        commitBlocks(blocks) {
          changed = blocks.flatMap(({ changes }) => [...changes.keys()].filter(isKept));
          return committer.commitBlocks(blocks);
        },
      },
      onClockFault: (fault) => post({ is: 'clock-fault', fault }),
      onClockNotice: (notice) => post({ is: 'clock-notice', notice }),
      onBlockFailure: (error, height) =>
        post({ is: 'block-failure', error: errorText(error), height }),
      onHalt: (error) => this.postEnd(error),
    });
    if (chain.head.blockHash !== data.head.blockHash) {
      throw new UnexpectedHeadError(data.head, chain.head);
    }
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
      else leaveForGood(data.gate);
    });
    consensus.start();
    await ended.promise;
    clearInterval(looking);
    this.postResults();
    await store.close();
  }

  postEnd(error: unknown): void {
    this.post({ is: 'halted', error: errorText(error), answers: this.takeResults() });
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
    if (this.results.length > 0) this.post({ is: 'answers', answers: this.takeResults() });
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

async function main(port: MessagePort, data: ProducerData): Promise<void> {
  const { gate } = data;
  if (!enterGate(gate)) return;
  const producer = new Producer((message) => port.postMessage(message));
  try {
    await producer.run(data, (listener) => port.on('message', listener));
  } catch (error) {
    producer.postEnd(error);
  } finally {
    leaveGate(gate);
    port.close();
  }
}

if (parentPort) await main(parentPort, workerData as ProducerData);
