/** Runs and supervises CometBFT, and answers envelopes once their block is on disk. */
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { UnknownRulesError, type Submission } from '@netd/ledger';
import { genesisHash, type Genesis } from '@netd/protocol';
import { duplicateError } from '../../chain/api-error.ts';
import type { BlockCommitter } from '../../chain/chain.ts';
import type { Clock } from '../../chain/clock.ts';
import { sleep } from '../../chain/sleep.ts';
import type { PendingEnvelope, SubmissionResult } from '../../mempool/mempool.ts';
import type { VerifierPool } from '../../mempool/verifier-pool.ts';
import type { HealthIssue } from '../../health-issue.ts';
import type { Store } from '../../store/store.ts';
import {
  BATCH_LIMITS,
  ownBlocksStatus,
  type Consensus,
  type EngineStatus,
  type ValidatorFigures,
} from '../consensus.ts';
import type { EngineSide } from '../host/run-engine.ts';
import { settleExecuted, type ExecutedEnvelope } from '../settle.ts';
import { AbciServer, type AbciApplication } from './abci-server.ts';
import { BEGIN_ANEW, CometLedger, type DecidedTransaction } from './comet-ledger.ts';
import {
  emptyBlocksOf,
  hasBlocks,
  keyAddress,
  readRecord,
  readRecoveredRecord,
  writeCometbftHome,
  type CometbftHome,
} from './cometbft-home.ts';
import { CometbftProcess } from './cometbft-process.ts';
import { CometbftRpc, CometbftRpcError } from './cometbft-rpc.ts';
import { PeerFilter } from './peer-filter.ts';
import { CheckpointSnapshots, NO_SNAPSHOTS, type SnapshotCalls } from './snapshots.ts';
import { makeSockets } from './sockets.ts';
import { addressOf } from './validator-updates.ts';
import { clockBehind } from './validator-watch.ts';

export interface CometOptions {
  store: Store;
  genesis: Genesis;
  committer: BlockCommitter;
  verifier: VerifierPool;
  clock: Clock;
  binary: string;
  home: Pick<CometbftHome, 'path' | 'p2pAddress' | 'peers' | 'signer' | 'times'>;
  /** Milliseconds; must be the same for all validators of the chain. */
  idleBlockTime: number;
  /** Refuses connections of all nodes that are not in `home.peers`. */
  peersOnly?: boolean | undefined;
  /** Directory of the checkpoints that peers are offered; undefined to offer none. */
  checkpointsPath?: string | undefined;
  /** Milliseconds after which an undecided envelope is answered with 503. */
  decisionTime?: number | undefined;
  between?: ((ledger: CometLedger) => AbciApplication) | undefined;
}

export type CometNews =
  | { is: 'engine-end'; sentence: string }
  /** A validator proposed a first block that belongs to another genesis. */
  | { is: 'other-genesis'; sentence: string }
  | { is: 'rpc'; path: string; metricsPort: number }
  | { is: 'checkpoint-asked' }
  | { is: 'checkpoint-read'; checkpointHash: string };

const DECISION_MILLISECONDS = 20_000;
const LEAST_BACKOFF = 250;
const MOST_BACKOFF = 10_000;
const SETTLED_MILLISECONDS = 10_000;
const LOOK_MILLISECONDS = 1_000;

const GOES_ON = 'Reads continue, and writes get NO_QUORUM. The chain continues by itself';

function noDecisions(silent: readonly string[], isSignerAway: boolean): string {
  if (isSignerAway) {
    return `no blocks are decided here, because CometBFT waits for the remote signer. ${GOES_ON}`;
  }
  const votes =
    silent.length === 0
      ? 'more than a third of the power of the validators does not vote'
      : `this node waits for votes of ${silent.join(', ')}`;
  return `no blocks are decided here: ${votes}, or this node is cut off from the others, or its disk holds it up. ${GOES_ON}`;
}

const CONSENSUS_FAILURE = 'CONSENSUS FAILURE!!!';
/** Matches log lines about decided blocks only, because a bad proposer can cause those about proposals. */
const DIVERGED =
  /(CONSENSUS FAILURE!!!|Error in validation).*wrong Block\.Header\.(AppHash|LastResultsHash|NextValidatorsHash|ValidatorsHash)|AppHash does not match/;

/** CometBFT pings its signer every few seconds, and logs each failure. */
const SIGNER_AWAY = 'SignerListener: ';
const SIGNER_AWAY_MILLISECONDS = 15_000;

/** CometBFT gives up at a decided block that its clock does not reach; a proposed block may lie about its time. */
const CLOCK_BEHIND =
  /CONSENSUS FAILURE!!!.*block time (\S+ \S+) .* is too far in the future \(wall clock (\S+ \S+) /;
const CLOCK_BEHIND_MILLISECONDS = 60_000;

const ANOTHER_STATE = /consensus deems this block invalid.*wrong Block\.Header\.AppHash/;

export class CometConsensus implements Consensus {
  readonly ledger: CometLedger;
  private readonly options: CometOptions;
  private readonly side: EngineSide<CometNews>;
  private readonly rpc: CometbftRpc;
  private readonly sockets: string;
  private readonly metricsPort: number;
  private readonly listen: () => Promise<AbciServer>;
  private server: AbciServer;
  private process: CometbftProcess | null = null;
  private supervision: Promise<void> = Promise.resolve();
  private state: 'running' | 'stopping' | 'halted' = 'running';
  private fault: string | null = null;
  private decided = { height: -1, since: 0, isOverdue: false };
  /** Validators without a vote in a round that is overdue. */
  private silent: readonly string[] = [];
  private clockFault: { issue: HealthIssue; since: number } | null = null;
  /** Monotonic time of the last failure to reach the remote signer. */
  private signerFailed = -Infinity;
  /** Updated once a second, because each change of the status goes to the main thread. */
  private votes: { figures: ValidatorFigures | null; issues: HealthIssue[] } = {
    figures: null,
    issues: [],
  };
  private readonly senders = new Map<string, Set<PendingEnvelope>>();
  private hasToldOtherGenesis = false;
  private readonly end = new AbortController();

  private constructor(
    options: CometOptions,
    side: EngineSide<CometNews>,
    parts: Pick<CometConsensus, 'ledger'> & {
      listen: () => Promise<AbciServer>;
      server: AbciServer;
      sockets: string;
      rpc: CometbftRpc;
      metricsPort: number;
    },
  ) {
    this.options = options;
    this.side = side;
    this.ledger = parts.ledger;
    this.listen = parts.listen;
    this.server = parts.server;
    this.sockets = parts.sockets;
    this.rpc = parts.rpc;
    this.metricsPort = parts.metricsPort;
  }

  /** @throws StoreError if the store holds another chain */
  static async open(options: CometOptions, side: EngineSide<CometNews>): Promise<CometConsensus> {
    const sockets = await makeSockets(options.home.path);
    let consensus: CometConsensus | null = null;
    const rpc = new CometbftRpc(join(sockets, 'rpc'));
    try {
      const { store, genesis, committer, verifier, clock, idleBlockTime } = options;
      const ledger = await CometLedger.open(
        {
          store,
          genesis,
          committer: side.tracked(committer),
          verifier,
          clock,
          engineGenesis: engineGenesis(genesis, idleBlockTime),
          ownKey: ownKeyOf(options.home),
          signedHeader: (height) => rpc.signedHeader(height),
        },
        {
          onDecided: (decided, block) => consensus?.settle(decided, block),
          onRefused: (submission, refusal) =>
            consensus?.settle([{ submission, outcome: { ok: false, refusal } }], null),
          onHalt: (error) => consensus?.halt(error),
          onBlockFailure: side.onBlockFailure,
        },
      );
      const application = options.between?.(ledger) ?? ledger;
      const snapshots = snapshotsOf(options, ledger, side);
      const filter = new PeerFilter({
        peers: options.home.peers,
        peersOnly: options.peersOnly,
        clock,
        connected: () => rpc.peers(),
      });
      const listen = (): Promise<AbciServer> =>
        AbciServer.listen(
          join(sockets, 'abci'),
          application,
          {
            onFailure: (error) => {
              if (consensus?.state !== 'running') return;
              consensus.setFault(`the ledger failed: ${(error as Error).message}`);
            },
            onConnections: (count) => {
              if (count === 0) ledger.disconnected();
            },
            onQuery: (path) => filter.refusal(path),
          },
          snapshots,
        );
      const server = await listen();
      const metricsPort = await freePort();
      side.tell({ is: 'rpc', path: join(sockets, 'rpc'), metricsPort });
      const parts = { ledger, listen, server, sockets, rpc, metricsPort };
      consensus = new CometConsensus(options, side, parts);
      return consensus;
    } catch (error) {
      rmSync(sockets, { recursive: true, force: true });
      throw error;
    }
  }

  start(): void {
    this.side.mempool.onReady = () => this.handOn();
    this.supervision = this.supervise().catch((error: unknown) => this.halt(error));
    this.handOn();
  }

  async stop(): Promise<void> {
    if (this.state === 'running') this.state = 'stopping';
    this.side.mempool.close();
    this.end.abort();
    await this.process?.stop();
    await this.supervision;
    await this.server.close();
    await this.ledger.close();
    this.answerAll({ status: 'unavailable', cause: 'stopping' });
    rmSync(this.sockets, { recursive: true, force: true });
  }

  poll(): void {}

  get status(): EngineStatus {
    const { fault, votes, clockFault } = this;
    const now = this.options.clock.elapsed();
    const own: HealthIssue[] = [];
    // CometBFT starts again and again, until the clock is right.
    if (clockFault && now - clockFault.since < CLOCK_BEHIND_MILLISECONDS)
      own.push(clockFault.issue);
    const isSignerAway = now - this.signerFailed < SIGNER_AWAY_MILLISECONDS;
    const { signer } = this.options.home;
    if (isSignerAway && signer && 'listenAddress' in signer) {
      own.push({
        kind: 'signer',
        text: `the remote signer is not connected to ${signer.listenAddress}, so this validator casts no votes: start the signer again, with the record that it has, or see its log`,
      });
    }
    if (fault !== null) {
      const issues = [{ kind: 'halted', text: fault } as const, ...own];
      return { ...ownBlocksStatus(issues), validators: votes.figures };
    }
    if (this.decided.isOverdue) {
      own.unshift({ kind: 'no-quorum', text: noDecisions(this.silent, isSignerAway) });
    }
    return { ...ownBlocksStatus([...own, ...votes.issues]), validators: votes.figures };
  }

  async killEngine(): Promise<void> {
    await this.process?.kill();
  }

  signalEngine(name: NodeJS.Signals): void {
    this.process?.signal(name);
  }

  private async supervise(): Promise<void> {
    const { clock, home } = this.options;
    let backoff = LEAST_BACKOFF;
    const { height } = this.ledger.chain;
    if (height > 0 && !hasBlocks(home.path)) {
      throw new Error(
        `this node has its chain up to height ${height}, and its CometBFT has no block in ${join(home.path, 'data')}: put back what was there, or name its directory with --engine-home. ${BEGIN_ANEW} if it is lost`,
      );
    }
    while (this.state === 'running') {
      const startedAt = clock.elapsed();
      const sentence = await this.runOnce();
      if (sentence === null || this.state !== 'running') return;
      this.setFault(sentence);
      this.side.tell({ is: 'engine-end', sentence });
      if (clock.elapsed() - startedAt > SETTLED_MILLISECONDS) backoff = LEAST_BACKOFF;
      await sleep(clock, backoff, this.end.signal);
      backoff = Math.min(MOST_BACKOFF, 2 * backoff);
      this.setFault(null);
      // The mempool of the previous CometBFT process is lost, so send again.
      for (const [first] of this.senders.values()) if (first) void this.broadcast(first.submission);
    }
  }

  private async runOnce(): Promise<string | null> {
    const { options, sockets } = this;
    const { genesis, binary, home } = options;
    try {
      await this.requireSockets();
      writeCometbftHome({
        ...home,
        chainId: genesis.chainId,
        genesisTime: genesis.genesisTime,
        validatorSet: this.ledger.chain.identity.genesisSet,
        appState: engineGenesis(genesis, options.idleBlockTime),
        abciSocket: join(sockets, 'abci'),
        rpcSocket: join(sockets, 'rpc'),
        metricsPort: this.metricsPort,
      });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
      return `CometBFT cannot be started, as the disk of ${home.path} is full: make room (${message})`;
    }
    if (this.state !== 'running') return null;
    rmSync(join(sockets, 'rpc'), { force: true });
    this.process = CometbftProcess.start(binary, home.path, (line) => this.onLogLine(line));
    const watch = this.watchSockets(this.process);
    const { wanted, sentence } = await this.process.ended;
    const lost = watch.end();
    return wanted ? null : (lost ?? sentence);
  }

  /** CometBFT would wait for a missing ABCI socket forever. */
  private async requireSockets(): Promise<void> {
    if (existsSync(join(this.sockets, 'abci'))) return;
    mkdirSync(this.sockets, { recursive: true, mode: 0o700 });
    await this.server.close();
    this.server = await this.listen();
  }

  /**
   * Cleaners of temporary files may delete the sockets. Then blocks get no certificate, or the next start
   * fails.
   */
  private watchSockets(process: CometbftProcess): { end: () => string | null } {
    const seen = new Set<string>();
    let lost: string | null = null;
    let cancel = (): void => {};
    const look = (): void => {
      this.watchDecisions();
      void this.watchRound();
      this.votes = {
        figures: this.ledger.watch.figures(),
        issues: this.ledger.watch.issues(this.options.clock.now()),
      };
      // Only now, so that no status has the votes of another moment.
      this.side.noteStatus();
      for (const name of ['abci', 'rpc']) {
        const path = join(this.sockets, name);
        if (existsSync(path)) seen.add(path);
        else if (seen.has(path)) lost ??= path;
      }
      if (lost === null) cancel = this.options.clock.after(LOOK_MILLISECONDS, look);
      else void process.kill();
    };
    look();
    return {
      end: () => {
        cancel();
        return lost === null
          ? null
          : `CometBFT was ended, because ${lost}, by which netd and it speak, was removed: keep what tidies up temporary files away from it, or set TMPDIR to another folder`;
      },
    };
  }

  /**
   * An idle chain decides empty heights regularly, so silence means that too few validators vote or are
   * reachable.
   */
  private watchDecisions(): void {
    const { clock, home, decisionTime = DECISION_MILLISECONDS } = this.options;
    const { engineHeight: height } = this.ledger;
    const now = clock.elapsed();
    const { decided } = this;
    if (height !== decided.height) {
      this.decided = { height, since: now, isOverdue: false };
      this.silent = [];
    } else if (now - decided.since > emptyBlocksOf(home) + decisionTime) {
      this.decided = { ...decided, isOverdue: true };
    }
  }

  /** Asks CometBFT whose votes it lacks, because only decided heights report votes. */
  private async watchRound(): Promise<void> {
    if (!this.decided.isOverdue) return;
    const { engineHeight, chain } = this.ledger;
    try {
      const voters = await this.rpc.voters();
      if (!voters || !this.decided.isOverdue || engineHeight !== this.ledger.engineHeight) return;
      const { validators } = chain.validatorSetAt(chain.height);
      const silent = validators.filter((each) => !voters.has(addressOf(each).slice(0, 12)));
      this.silent = silent.map(({ validatorId }) => validatorId);
      this.ledger.watch.noteSilent(new Set(silent.map(addressOf)));
    } catch {
      // CometBFT may be down, which `fault` reports.
    }
  }

  /**
   * Halts if the ledgers diverged, because no restart helps. Restarts CometBFT after other consensus
   * failures, because it would run on without deciding.
   */
  private onLogLine(line: string): void {
    const [, block = '', wall = ''] = CLOCK_BEHIND.exec(line) ?? [];
    if (block !== '') {
      const behind = Date.parse(`${block}Z`) - Date.parse(`${wall}Z`);
      this.clockFault = { issue: clockBehind(behind), since: this.options.clock.elapsed() };
    }
    if (line.includes(SIGNER_AWAY)) this.signerFailed = this.options.clock.elapsed();
    if (DIVERGED.test(line)) this.halt(new Error(this.ledger.divergence));
    else if (line.includes(CONSENSUS_FAILURE)) void this.process?.kill();
    else if (!this.ledger.isCertified && ANOTHER_STATE.test(line)) this.tellOtherGenesis();
  }

  private tellOtherGenesis(): void {
    if (this.hasToldOtherGenesis) return;
    this.hasToldOtherGenesis = true;
    const { genesis } = this.options;
    this.side.tell({
      is: 'other-genesis',
      sentence: `another validator of ${genesis.chainId} begins from another genesis than this node, whose hash is ${genesisHash(genesis)}: they will never agree. Compare the hashes that netd start prints while it waits, and give all of them one genesis.json; a validator with the wrong one begins again in an empty data directory, with its keys/`,
    });
  }

  private handOn(): void {
    for (;;) {
      const batch = this.side.mempool.take(BATCH_LIMITS);
      if (batch.length === 0) return;
      for (const pending of batch) this.trackSender(pending);
    }
  }

  private trackSender(pending: PendingEnvelope): void {
    const { submission } = pending;
    const hash = submission.encoded.transitionHash;
    const senders = this.senders.get(hash) ?? new Set();
    const { clock, decisionTime = DECISION_MILLISECONDS } = this.options;
    const { engineHeight } = this.ledger;
    const cancel = clock.after(decisionTime, () => {
      this.leave(hash, waiting);
      // With envelopes pending, CometBFT decides a height at once. So no progress means no quorum.
      const { decided } = this;
      if (engineHeight === this.ledger.engineHeight && engineHeight === decided.height) {
        this.decided = { ...decided, isOverdue: true };
        this.side.noteStatus();
      }
      pending.settle({ status: 'unavailable', cause: 'no-quorum' });
    });
    const waiting: PendingEnvelope = {
      submission,
      settle: (result) => {
        cancel();
        this.leave(hash, waiting);
        pending.settle(result);
      },
    };
    this.senders.set(hash, senders.add(waiting));
    this.ledger.remember(submission);
    void this.broadcast(submission);
  }

  private leave(hash: string, waiting: PendingEnvelope): void {
    const senders = this.senders.get(hash);
    senders?.delete(waiting);
    if (senders?.size === 0) this.senders.delete(hash);
  }

  /** Retries while CometBFT is starting. CheckTx reports refusals through the ledger's events. */
  private async broadcast(submission: Submission): Promise<void> {
    const { text, transitionHash: hash } = submission.encoded;
    while (this.senders.has(hash) && this.state === 'running') {
      try {
        await this.rpc.broadcast(Buffer.from(text));
        return;
      } catch (error) {
        if (error instanceof CometbftRpcError) {
          this.settleKnown(submission);
          return;
        }
      }
      await sleep(this.options.clock, LEAST_BACKOFF, this.end.signal);
    }
  }

  /** Answers an already decided submission with its receipt, as a duplicate. */
  private settleKnown(submission: Submission): void {
    if (!this.ledger.chain.receipt(submission.encoded.transitionHash)) return;
    const refusal = duplicateError(submission.kind);
    this.settle([{ submission, outcome: { ok: false, refusal } }], null);
  }

  private settle(
    decided: readonly DecidedTransaction[],
    block: Parameters<typeof settleExecuted>[1],
  ): void {
    const executed: ExecutedEnvelope[] = decided.flatMap(({ submission, outcome }) =>
      [...(this.senders.get(submission.encoded.transitionHash) ?? [])].map((pending) => ({
        pending,
        outcome,
      })),
    );
    settleExecuted(executed, block, this.ledger.chain);
  }

  private answerAll(result: SubmissionResult): void {
    for (const senders of this.senders.values()) for (const { settle } of senders) settle(result);
  }

  private halt(error: unknown): void {
    if (this.state === 'halted') return;
    this.state = 'halted';
    this.setFault((error as Error).message);
    this.side.mempool.close();
    this.answerAll({ status: 'unavailable' });
    // CometBFT cannot end by itself while it waits for an answer about unknown rules.
    void (error instanceof UnknownRulesError ? this.process?.kill() : this.process?.stop());
    this.side.onHalt(error);
  }

  private setFault(fault: string | null): void {
    this.fault = fault;
    this.side.noteStatus();
  }
}

/** CometBFT goes on without metrics if another process takes the port meanwhile. */
async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function snapshotsOf(
  { checkpointsPath: directory, store }: CometOptions,
  ledger: CometLedger,
  { tell }: EngineSide<CometNews>,
): SnapshotCalls {
  if (directory === undefined) return NO_SNAPSHOTS;
  return new CheckpointSnapshots({
    directory,
    store,
    decidedHeight: () => ledger.engineHeight,
    onAsked: () => tell({ is: 'checkpoint-asked' }),
    onRead: (checkpointHash) => tell({ is: 'checkpoint-read', checkpointHash }),
  });
}

function ownKeyOf({
  path,
  signer,
}: CometOptions['home']): Parameters<typeof CometLedger.open>[0]['ownKey'] {
  if (!signer || !('privateKeyPem' in signer)) return undefined;
  return {
    address: keyAddress(signer.privateKeyPem),
    signedHeight: () => readRecord(path),
    recovered: readRecoveredRecord(path),
  };
}

export function engineGenesis(
  genesis: Genesis,
  idleBlockTime: number,
): Parameters<typeof CometLedger.open>[0]['engineGenesis'] {
  return { schema: 'NET-ENGINE-GENESIS/1', genesisHash: genesisHash(genesis), idleBlockTime };
}
