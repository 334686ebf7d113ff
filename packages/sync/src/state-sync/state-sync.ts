/**
 * Starts CometBFT from a peer's snapshot. Its light client trusts a header verified from genesis. CometBFT
 * stops before the next block, and the ledger takes over. Decision 145.
 */
import { existsSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { cometbftHeaderHash, COMMIT_SCHEME, ValidatorSets, type Genesis } from '@netd/protocol';
import {
  abortOf,
  type BlockHistory,
  type Clock,
  DRAFT_ENTRIES,
  identityOf,
  placeDatabase,
  removeWritten,
  type RestorePoint,
  type RestoreProgress,
  Store,
} from '@netd/engine';
import {
  AbciServer,
  CometbftProcess,
  engineGenesis,
  forgetChain,
  makeSockets,
  writeCometbftHome,
  type CometbftHome,
} from '@netd/engine/cometbft';
import { FollowError } from '../follow-error.ts';
import { Origin } from '../origin.ts';
import {
  blocksBehind,
  choosePoint,
  DISK_FACTOR,
  type Ballot,
} from '../restore/checkpoint-offers.ts';
import { endedBy, type Transport } from '../transport.ts';
import { LightBlocks } from './light-blocks.ts';
import { SnapshotReceiver } from './snapshot-receiver.ts';

export interface StateSyncDir {
  path: string;
  genesis: Genesis;
  storePath: string;
  restorePath: string;
  engineHome: string;
}

export interface StateSyncOptions {
  origins: readonly string[];
  binary: string;
  home: Pick<CometbftHome, 'p2pAddress' | 'peers' | 'times'>;
  idleBlockTime: number;
  clock: Clock;
  originTimeout?: number | undefined;
  /** Milliseconds without an offer or a chunk, after which the attempt fails; CometBFT would wait forever. */
  offerTimeout?: number | undefined;
  transport?: Transport | undefined;
  signal?: AbortSignal | undefined;
  onProgress: (progress: RestoreProgress) => void;
  onStep: (step: 'taken' | 'placed') => void;
  onBan: (who: string, reason: string) => void;
}

/** CometBFT gives up if it cannot verify a header in time. */
const ATTEMPTS = 3;
const GIVES_UP = 'State sync failed';
const OFFER_MILLISECONDS = 180_000;

export async function hasState(storePath: string): Promise<boolean> {
  if (!existsSync(join(storePath, 'data.mdb'))) return false;
  const store = Store.open(storePath);
  try {
    return (store.headHeight() ?? 0) > 0;
  } finally {
    await store.close();
  }
}

/** Removes an unfinished state sync, in which CometBFT may have a state without a ledger. */
export function forgetStateSync({ restorePath, engineHome }: StateSyncDir): void {
  if (!existsSync(restorePath)) return;
  forgetChain(engineHome);
  removeWritten(restorePath, DRAFT_ENTRIES);
}

/**
 * Runs a state sync. After a crash, the next call starts again.
 * @throws FollowError if no state is available
 */
export async function syncState(dir: StateSyncDir, options: StateSyncOptions): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await new StateSync(dir, options).run();
      return;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof GivenUpError)) throw error;
      if (attempt === ATTEMPTS) {
        throw new FollowError(
          `no peer has given a state that is certified (${error.message}): name other nodes with --state-sync, or begin at genesis without it`,
          'FOLLOW_REFUSED',
        );
      }
    }
  }
}

class GivenUpError extends Error {}

class StateSync {
  private readonly dir: StateSyncDir;
  private readonly options: StateSyncOptions;
  private readonly origins: Origin[];
  private readonly ballot: Ballot;
  private reasons: string[] = [];
  private heard = (): void => {};

  constructor(dir: StateSyncDir, options: StateSyncOptions) {
    this.dir = dir;
    this.options = options;
    const { clock, signal, originTimeout } = options;
    const transport = endedBy(signal, options.transport);
    this.origins = options.origins.map((url) => new Origin(url, originTimeout, transport));
    const identity = identityOf(dir.genesis);
    this.ballot = {
      ...identity,
      sets: new ValidatorSets(identity.genesisSet),
      clock,
      signal,
      failureScore: new Map(),
      onFault: ({ url }, reason) => options.onBan(url, reason),
    };
  }

  async run(): Promise<void> {
    const { dir } = this;
    const { point, reasons } = await choosePoint(this.origins, this.ballot);
    if (!point) {
      throw new FollowError(
        `no node has a state to begin with (${reasons.join('; ')}): name others with --state-sync, or begin at genesis without it`,
        'NODE_UNREACHABLE',
      );
    }
    removeWritten(dir.restorePath, DRAFT_ENTRIES);
    mkdirSync(join(dir.restorePath, 'comet'), { recursive: true, mode: 0o700 });
    forgetChain(dir.engineHome);
    const sockets = await makeSockets(dir.engineHome);
    try {
      await this.receive(point, sockets);
    } finally {
      rmSync(sockets, { recursive: true, force: true });
    }
    this.options.onStep('taken');
    placeDatabase(dir.restorePath, dir.storePath);
    this.options.onStep('placed');
    removeWritten(dir.restorePath, DRAFT_ENTRIES);
  }

  private async receive(point: RestorePoint, sockets: string): Promise<void> {
    const { options, dir } = this;
    const { signal, clock, binary, offerTimeout = OFFER_MILLISECONDS } = options;
    let cancelTimeout = (): void => {};
    const [abciSocket, rpcSocket] = [join(sockets, 'abci'), join(sockets, 'rpc')];
    const receiver = this.receiver();
    const server = await AbciServer.listen(abciSocket, receiver, { onFailure: () => {} }, receiver);
    const telling: LightBlocks[] = [];
    let comet: CometbftProcess | null = null;
    try {
      const rpcServers: string[] = [];
      // CometBFT requires at least two servers.
      const asked = this.origins.length === 1 ? [...this.origins, ...this.origins] : this.origins;
      for (const [index, origin] of asked.entries()) {
        const socket = join(sockets, `light-${index}`);
        telling.push(await LightBlocks.listen(socket, origin, clock));
        rpcServers.push(`unix://${socket}`);
      }
      writeCometbftHome({
        ...options.home,
        path: dir.engineHome,
        chainId: dir.genesis.chainId,
        genesisTime: dir.genesis.genesisTime,
        validatorSet: identityOf(dir.genesis).genesisSet,
        appState: engineGenesis(dir.genesis, options.idleBlockTime),
        signer: null,
        abciSocket,
        rpcSocket,
        stateSync: { rpcServers, ...trusted(point), tempDir: join(dir.restorePath, 'comet') },
      });
      const failed = Promise.withResolvers<never>();
      failed.promise.catch(() => {});
      this.heard = () => {
        cancelTimeout();
        cancelTimeout = clock.after(offerTimeout, () => failed.reject(noOffer(offerTimeout)));
      };
      this.heard();
      comet = CometbftProcess.start(binary, dir.engineHome, (line) => {
        if (line.includes(GIVES_UP)) failed.reject(this.givenUp(line));
      });
      const ended = comet.ended.then(({ sentence }) => {
        throw this.givenUp(sentence);
      });
      ended.catch(() => {});
      await Promise.race([receiver.isTaken, failed.promise, ended, abortOf(signal)]);
    } finally {
      this.heard = () => {};
      cancelTimeout();
      await comet?.kill();
      await Promise.all(telling.map((each) => each.close()));
      await server.close();
    }
  }

  private givenUp(text: string): GivenUpError {
    return new GivenUpError([...this.reasons, text.trim().slice(0, 300)].join('; '));
  }

  private receiver(): SnapshotReceiver {
    const { dir, options } = this;
    const { restorePath, genesis } = dir;
    return new SnapshotReceiver({
      genesis,
      draftPath: restorePath,
      source: this.origins[0]?.url ?? '',
      blocksOf: (checkpoint): Promise<BlockHistory[] | null> =>
        blocksBehind(this.origins, checkpoint, this.ballot),
      hasRoom: (bytes) => {
        const { bavail, bsize } = statfsSync(dir.path);
        return bytes * DISK_FACTOR <= bavail * bsize;
      },
      onProgress: (progress) => {
        this.heard();
        options.onProgress(progress);
      },
      onReject: (peer, reason) => {
        this.heard();
        this.reasons.push(reason);
        options.onBan(peer ?? 'the peers that offered it', reason);
      },
    });
  }
}

const noOffer = (milliseconds: number): FollowError =>
  new FollowError(
    `no peer has offered a state for ${milliseconds / 1_000} s: name peers that run with --peers. Two blocks of CometBFT must follow a state, and an idle chain makes one per --empty-blocks: try again when the chain has moved, or begin at genesis without --state-sync`,
    'NODE_UNREACHABLE',
  );

function trusted({ blocks: [block] }: RestorePoint): { trustHeight: number; trustHash: string } {
  const certificate = block?.certificate;
  if (certificate?.scheme !== COMMIT_SCHEME) {
    throw new FollowError(
      'the nodes named by --state-sync are of a chain with a single validator: it is followed with netd follow',
      'FOLLOW_REFUSED',
    );
  }
  const { header } = certificate.commit;
  return { trustHeight: header.height, trustHash: cometbftHeaderHash(header) };
}
