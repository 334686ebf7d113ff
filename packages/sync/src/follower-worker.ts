/** Takes the blocks of other nodes in a thread of its own, into the database that everybody reads. See follower-thread.ts. */
import {
  BlockExecutor,
  Chain,
  committerWithFailpoints,
  type EngineInThread,
  type EnginePort,
  errorText,
  failpointFromPlan,
  ChangeTracker,
  requireHead,
  runEngine,
  StatusTeller,
  Store,
  systemClock,
  VerifierPool,
} from '@netd/engine';
import { FollowerConsensus } from './follower-consensus.ts';
import type { FollowerData, FromFollower, ToFollower } from './follower-messages.ts';
import { MOST_UNCOMMITTED } from './batched-commit.ts';

class Follower implements EngineInThread<FollowerData> {
  private readonly port: EnginePort<ToFollower, FromFollower>;

  constructor(port: EnginePort<ToFollower, FromFollower>) {
    this.port = port;
  }

  /** Follows until it is told to stop. */
  async run(data: FollowerData): Promise<void> {
    const { post, onMessage, stopped } = this.port;
    const store = Store.open(data.storePath);
    const verifier = new VerifierPool();
    const reach = failpointFromPlan(data.failpoint);
    const committer = new ChangeTracker(committerWithFailpoints(store, reach));
    const chain = await Chain.open({
      store,
      genesis: data.genesis,
      committer,
      certifyGenesis: () => {
        throw new Error('the copy has not been begun');
      },
    });
    requireHead(data.head, chain.head);
    const executor = BlockExecutor.load(chain.identity, store, chain.head, MOST_UNCOMMITTED);
    const consensus = new FollowerConsensus(
      { chain, executor },
      {
        ...data,
        store,
        verifier,
        clock: systemClock,
        onProgress: (progress) => post({ is: 'progress', progress }),
        onHistory: (from) => post({ is: 'history', from }),
        onDrop: (url, reason) => post({ is: 'drop', url, reason }),
        onAnswer: () => telling.look(),
        onFork: (evidence) => {
          telling.look();
          post({ is: 'fork', evidence });
        },
        onBlockFailure: (error, height) =>
          post({ is: 'block-failure', error: errorText(error), height }),
        onHalt: (error) => this.fail(error),
      },
    );
    chain.onBlock((height, transitionCount) => {
      const changed = committer.takeChanged();
      // Where a reader finds the block, the status is that of after it.
      telling.look();
      post({ is: 'block', head: chain.head, height, transitionCount, changed });
    });
    const telling = new StatusTeller(consensus, (status) => post({ is: 'status', status }));
    onMessage(({ is }) => {
      if (is === 'start') consensus.start();
      else consensus.poll();
    });
    telling.start();
    post({ is: 'open' });
    await stopped;
    await consensus.stop();
    telling.stop();
    await verifier.close();
    await store.close();
  }

  fail(error: unknown): void {
    this.port.post({ is: 'halted', error: errorText(error) });
  }
}

await runEngine((port: EnginePort<ToFollower, FromFollower>) => new Follower(port));
