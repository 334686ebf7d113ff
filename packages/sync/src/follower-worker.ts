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
  Store,
  systemClock,
  VerifierPool,
} from '@netd/engine';
import { FollowerConsensus } from './follower-consensus.ts';
import type {
  FollowerData,
  FollowerStatus,
  FromFollower,
  ToFollower,
} from './follower-messages.ts';
import { MOST_UNCOMMITTED } from './batched-commit.ts';

/** How often somebody looks whether what it says of itself has changed with time alone. */
const LOOK_MILLISECONDS = 200;

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
        onAnswer: () => look(),
        onFork: (evidence) => post({ is: 'fork', evidence, status: statusOf(consensus) }),
        onBlockFailure: (error, height) =>
          post({ is: 'block-failure', error: errorText(error), height }),
        onHalt: (error) => this.fail(error),
      },
    );
    chain.onBlock((height, transitionCount) => {
      const changed = committer.takeChanged();
      const status = statusOf(consensus);
      post({ is: 'block', head: chain.head, height, transitionCount, changed, status });
    });
    let told = '';
    const look = (): void => {
      const status = statusOf(consensus);
      const text = JSON.stringify(status);
      if (text === told) return;
      told = text;
      post({ is: 'status', status });
    };
    const looking = setInterval(look, LOOK_MILLISECONDS);
    onMessage(({ is }) => {
      if (is === 'start') consensus.start();
      else consensus.poll();
    });
    post({ is: 'open', status: statusOf(consensus) });
    await stopped;
    await consensus.stop();
    clearInterval(looking);
    await verifier.close();
    await store.close();
  }

  fail(error: unknown): void {
    this.port.post({ is: 'halted', error: errorText(error) });
  }
}

function statusOf(consensus: FollowerConsensus): FollowerStatus {
  const { writers, following, halted, isCurrent } = consensus;
  return { issues: consensus.issues(), writers, following, halted, isCurrent };
}

await runEngine((port: EnginePort<ToFollower, FromFollower>) => new Follower(port));
