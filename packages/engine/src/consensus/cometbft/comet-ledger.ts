/**
 * Executes the blocks that CometBFT decides. A block stays in memory until the next decision certifies it, so
 * everything on disk is certified. CometBFT replays the rest after a crash. Decisions 117 and 119.
 */
import {
  RuleError,
  UnknownRulesError,
  type Outcome,
  type StateReader,
  type Submission,
} from '@netd/ledger';
import {
  certificateHash,
  COMMIT_SCHEME,
  hexToBytes,
  makeCommitCertificate,
  MAX_BLOCK_BYTES,
  timestampToMs,
  verifyCertificate,
  type CommitCertificate,
  type FinalityStatement,
  type Genesis,
} from '@netd/protocol';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../chain/api-error.ts';
import type { BlockCommitter, Chain } from '../../chain/chain.ts';
import type { Clock } from '../../chain/clock.ts';
import { statementOf } from '../../chain/signer.ts';
import {
  BlockExecutor,
  type CandidateBlock,
  type OpenBlock,
} from '../../executor/block-executor.ts';
import type { Tip } from '../../executor/tip.ts';
import { requireAdmissible } from '../../mempool/admission-table.ts';
import { BlockSignatures } from '../../mempool/block-signatures.ts';
import type { VerifierPool } from '../../mempool/verifier-pool.ts';
import type { Store } from '../../store/store.ts';
import { BATCH_LIMITS } from '../consensus.ts';
import type { AbciApplication } from './abci-server.ts';
import { hasVotes, newestCertificate, openCometChain } from './comet-chain.ts';
import type { RecoveredRecord } from './cometbft-home.ts';
import { CometbftRpcError, type SignedHeader } from './cometbft-rpc.ts';
import { readTransaction } from './transaction.ts';
import {
  absences,
  addressOf,
  doubleSignings,
  hasVoted,
  hexOf,
  millisecondsOf,
  updatesOf,
  validatorOf,
} from './validator-updates.ts';
import { ValidatorWatch } from './validator-watch.ts';
import {
  CheckTxType,
  ResponseProcessProposal_ProposalStatus as Proposal,
  type RequestCheckTx,
  type RequestFinalizeBlock,
  type RequestInitChain,
  type RequestPrepareProposal,
  type RequestProcessProposal,
  type ValidatorUpdate,
} from './wire/abci_pb.js';

export interface EngineGenesis {
  schema: 'NET-ENGINE-GENESIS/1';
  genesisHash: string;
  /**
   * Milliseconds of header time without a block, after which an empty CometBFT block becomes a block of this
   * chain.
   */
  idleBlockTime: number;
}

export interface DecidedTransaction {
  submission: Submission;
  outcome: Outcome;
}

export interface LedgerEvents {
  /** Called when the block is on disk, or with null if all transactions were refused. */
  onDecided: (
    decided: readonly DecidedTransaction[],
    block: Parameters<Chain['commit']>[0] | null,
  ) => void;
  onRefused: (submission: Submission, refusal: RuleError) => void;
  onHalt: (error: unknown) => void;
  onBlockFailure: (error: unknown, height: number) => void;
}

export interface LedgerParts {
  store: Store;
  genesis: Genesis;
  engineGenesis: EngineGenesis;
  committer: BlockCommitter;
  verifier: VerifierPool;
  clock: Clock;
  /** Set on a validator that signs here. */
  ownKey?:
    { address: string; signedHeight: () => number; recovered?: RecoveredRecord | null } | undefined;
  signedHeader: (height: number) => Promise<SignedHeader>;
}

interface DecidedBlock {
  engineHeight: number;
  statement: FinalityStatement;
  candidate: CandidateBlock;
  decided: DecidedTransaction[];
}

/** Execution pauses at this many uncertified blocks. */
const MOST_WAITING = 4;
const MOST_QUEUED = 2 * MOST_WAITING;
const RETRY_MILLISECONDS = 50;
const DISK_RETRY_MILLISECONDS = 1_000;
const KNOWN_SUBMISSIONS = 20_000;
export const BEGIN_ANEW = 'Let it begin anew with the same key, as docs/operations.md says';
const ACCEPTED = 0;
const REFUSED = 1;

export class CometLedger implements AbciApplication {
  readonly chain: Chain;
  private readonly parts: LedgerParts;
  private readonly events: LedgerEvents;
  readonly watch = new ValidatorWatch();
  private executor: BlockExecutor;
  private readonly signatures: BlockSignatures;
  private waiting: DecidedBlock[] = [];
  private finalized: { block: DecidedBlock | null; decided: DecidedTransaction[] } | null = null;
  private appHash: string;
  private decidedHeight = 0;
  private writing: Promise<void> = Promise.resolve();
  private generation = 0;
  private closed = false;
  /** False while CometBFT replays its own blocks, because it answers no requests then. */
  private answers = false;
  private readonly sleepers = new Set<() => void>();
  private readonly genesisProposers: ReadonlyMap<string, string>;
  private readonly known = new LRUCache<string, Submission>({ max: KNOWN_SUBMISSIONS });

  private constructor(chain: Chain, parts: LedgerParts, events: LedgerEvents) {
    this.chain = chain;
    this.parts = parts;
    this.events = events;
    this.executor = BlockExecutor.load(chain.identity, parts.store, chain.head, MOST_QUEUED);
    const state = {
      get: (key: string) => this.executor.stateAfter(this.executor.newest).get(key),
    };
    this.signatures = new BlockSignatures(state, parts.verifier);
    this.appHash = newestCertificate(this.parts.store).certificateHash;
    this.genesisProposers = new Map(
      chain.identity.genesisSet.validators.map((each) => [addressOf(each), each.validatorId]),
    );
  }

  /** @throws StoreError if the store holds another chain, or its tree does not match its head */
  static async open(parts: LedgerParts, events: LedgerEvents): Promise<CometLedger> {
    const { store, genesis, committer } = parts;
    const chain = await openCometChain(store, genesis, committer);
    return new CometLedger(chain, parts, events);
  }

  /** Serve nothing until this is true. */
  get isCertified(): boolean {
    return hasVotes(this.parts.store);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.wake();
    await this.writing;
  }

  async info(): Promise<{
    data: string;
    appVersion: bigint;
    lastBlockHeight: bigint;
    lastBlockAppHash: Uint8Array;
  }> {
    await this.forgetUnwritten();
    const { certificateHash: hash, commit } = newestCertificate(this.parts.store);
    // A certified header describes the block that was executed one CometBFT height earlier.
    const height = this.chain.height === 0 ? 0 : commit.header.height - 1;
    return {
      data: 'netd',
      appVersion: 1n,
      lastBlockHeight: BigInt(height),
      lastBlockAppHash: height === 0 ? new Uint8Array() : hexToBytes(hash),
    };
  }

  initChain({ chainId, appStateBytes }: RequestInitChain): { appHash: Uint8Array } {
    const { genesis, engineGenesis } = this.parts;
    const received = JSON.parse(
      Buffer.from(appStateBytes).toString('utf8'),
    ) as Partial<EngineGenesis>;
    for (const [name, theirs, ours] of [
      ['chain', chainId, genesis.chainId],
      ['genesis', received.genesisHash, engineGenesis.genesisHash],
      ['idle block time', received.idleBlockTime, engineGenesis.idleBlockTime],
    ]) {
      if (theirs !== ours) {
        const error = new Error(
          `CometBFT starts from another ${name}, ${String(theirs)} instead of ${String(ours)}: its files belong to something else. Name another home for it with --engine-home`,
        );
        this.events.onHalt(error);
        throw error;
      }
    }
    if (!this.isCertified) this.later(() => this.certifyGenesis());
    return { appHash: hexToBytes(this.appHash) };
  }

  async readAhead(txs: readonly Uint8Array[]): Promise<void> {
    const submissions = new Set(txs.flatMap((tx) => this.tryRead(tx) ?? []));
    await this.signatures.verifyAll([...submissions]);
  }

  checkTx({ tx, type }: RequestCheckTx): { code: number; log: string; codespace: string } {
    const submission = this.tryRead(tx);
    if (!submission) return { code: REFUSED, log: 'ENVELOPE_INVALID', codespace: 'netd' };
    // Don't report a refusal, because other validators may accept the envelope.
    if (this.unknownRules()) return { code: REFUSED, log: 'unknown rules', codespace: 'netd' };
    const outcome = this.admissible(
      submission,
      this.executor.checkTx(submission, this.parts.clock.now()),
    );
    if (outcome.ok) return { code: ACCEPTED, log: '', codespace: '' };
    // A decided envelope is a duplicate here until its sender is answered.
    if (!this.isDecided(submission)) this.events.onRefused(submission, outcome.refusal);
    if (type === CheckTxType.RECHECK) this.known.delete(submission.encoded.transitionHash);
    return { code: REFUSED, log: outcome.refusal.code, codespace: 'netd' };
  }

  private admissible(submission: Submission, outcome: Outcome): Outcome {
    if (!outcome.ok) return outcome;
    const { setChanges, genesisSet } = this.chain.identity;
    try {
      requireAdmissible(submission, {
        state: this.executor.stateAfter(this.executor.newest),
        fixedValidators: setChanges ? 0 : genesisSet.validators.length,
      });
      return outcome;
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      return { ok: false, refusal: error };
    }
  }

  prepareProposal({ txs, maxTxBytes, time }: RequestPrepareProposal): { txs: Uint8Array[] } {
    // Validators that have the rules can vote for an empty proposal.
    if (this.unknownRules()) return { txs: [] };
    const open = this.executor.open(this.executor.newest, millisecondsOf(time));
    const chosen: Uint8Array[] = [];
    let room = Math.min(MAX_BLOCK_BYTES, Number(maxTxBytes));
    for (const tx of txs) {
      const submission = this.tryRead(tx);
      // CometBFT adds a few bytes to each transaction.
      if (!submission || room < tx.length + 16 || chosen.length === BATCH_LIMITS.count) continue;
      if (!open.execution.execute(submission).ok) continue;
      room -= tx.length + 16;
      chosen.push(tx);
    }
    return { txs: chosen };
  }

  /** Judges a proposal by its bytes and the known rules alone, so honest validators of one version agree. */
  async processProposal({ txs }: RequestProcessProposal): Promise<{ status: Proposal }> {
    if (this.unknownRules()) return { status: Proposal.REJECT };
    const submissions = new Map<string, Submission>();
    let bytes = 0;
    for (const tx of txs) {
      const submission = this.tryRead(tx);
      if (!submission) return { status: Proposal.REJECT };
      submissions.set(submission.encoded.transitionHash, submission);
      bytes += tx.length;
    }
    const fits = txs.length <= BATCH_LIMITS.count && bytes <= MAX_BLOCK_BYTES;
    if (!fits || submissions.size !== txs.length) return { status: Proposal.REJECT };
    await this.signatures.verifyAll([...submissions.values()]);
    return { status: Proposal.ACCEPT };
  }

  async finalizeBlock(request: RequestFinalizeBlock): Promise<{
    txResults: { code: number; log: string; codespace: string }[];
    validatorUpdates: ValidatorUpdate[];
    appHash: Uint8Array;
  }> {
    const engineHeight = Number(request.height);
    this.requireOwnVote(request);
    this.decidedHeight = Math.max(this.decidedHeight, engineHeight);
    this.wake();
    await this.untilFewWait();
    this.requireBlocks();
    await this.requireRules();
    // This node may not have seen the proposal, for example while it catches up.
    const submissions = request.txs.map((tx) => this.tryRead(tx));
    await this.signatures.verifyAll(submissions.filter((each) => each !== null));
    const parent = this.executor.newest;
    const { executor } = this;
    const state = executor.stateAfter(parent);
    const nameOf = (address: string): string | undefined =>
      validatorOf(state, address) ?? this.genesisProposers.get(address);
    this.watch.note(request, nameOf);
    const open = executor.open(
      parent,
      millisecondsOf(request.time),
      nameOf(hexOf(request.proposerAddress)),
    );
    const idle = open.context.time - timestampToMs(parent.timestamp);
    const isIdle = idle >= this.parts.engineGenesis.idleBlockTime;
    this.observe(open, request, state, isIdle);
    const decided: DecidedTransaction[] = [];
    const txResults = submissions.map((submission) => {
      if (!submission) return { code: REFUSED, log: 'ENVELOPE_INVALID', codespace: 'netd' };
      const outcome = open.execution.execute(submission);
      decided.push({ submission, outcome });
      return outcome.ok
        ? { code: ACCEPTED, log: '', codespace: '' }
        : { code: REFUSED, log: outcome.refusal.code, codespace: 'netd' };
    });
    const isBlock = open.execution.transitionCount > 0 || isIdle;
    this.finalized = { block: null, decided };
    let validatorUpdates: ValidatorUpdate[] = [];
    if (isBlock) {
      const candidate = executor.seal(open);
      const statement = statementOf(candidate.write.header, candidate.hash);
      this.finalized.block = { engineHeight, statement, candidate, decided };
      this.appHash = certificateHash(statement, COMMIT_SCHEME);
      const before = executor.validatorSetAfter(parent);
      validatorUpdates = updatesOf(before, executor.validatorSetAfter(candidate.tip));
    }
    return { txResults, validatorUpdates, appHash: hexToBytes(this.appHash) };
  }

  /**
   * A double signing makes a block by itself. Missed votes do not, so an idle chain stays idle while a
   * validator is down.
   */
  private observe(
    { execution }: OpenBlock,
    request: RequestFinalizeBlock,
    state: StateReader,
    isIdle: boolean,
  ): void {
    if (!this.chain.identity.setChanges) return;
    for (const observation of doubleSignings(request, state)) execution.observe(observation);
    if (request.txs.length === 0 && execution.transitionCount === 0 && !isIdle) return;
    for (const observation of absences(request, state)) execution.observe(observation);
  }

  commit(): { retainHeight: bigint } {
    const { finalized } = this;
    if (!finalized) throw new Error('CometBFT commits what it has not had executed');
    this.finalized = null;
    const { block, decided } = finalized;
    if (block) {
      this.waiting.push(block);
      this.later((generation) => this.write(block, generation));
    } else if (decided.length > 0) {
      // Refusals may depend on blocks that are not on disk yet.
      this.later(() => Promise.resolve(this.events.onDecided(decided, null)));
    }
    return { retainHeight: 0n };
  }

  private later(task: (generation: number) => Promise<void>): void {
    const { generation } = this;
    this.writing = this.writing
      .then(() => (this.isCurrent(generation) ? task(generation) : undefined))
      .catch((error: unknown) => {
        this.closed = true;
        this.events.onHalt(error);
      });
  }

  private isCurrent(generation: number): boolean {
    return !this.closed && generation === this.generation;
  }

  private async write(block: DecidedBlock, generation: number): Promise<void> {
    const certificate = await this.certified(block.statement, block.engineHeight + 1, generation);
    if (!certificate) return;
    const write = { ...block.candidate.write, certificate };
    for (;;) {
      try {
        await this.chain.commit(write, () => {
          this.executor.commit(block.candidate.hash);
          this.waiting.shift();
          this.events.onDecided(block.decided, write);
        });
        break;
      } catch (error) {
        if ((error as Error).name !== 'BlockNotWrittenError') throw error;
        this.events.onBlockFailure((error as Error).cause, write.header.height);
        await this.pause(DISK_RETRY_MILLISECONDS);
        if (!this.isCurrent(generation)) return;
      }
    }
    this.wake();
  }

  private async certifyGenesis(): Promise<void> {
    const { generation } = this;
    const { certificateHash: _, ...statement } = newestCertificate(this.parts.store);
    const certificate = await this.certified(statement, 1, generation);
    if (!certificate) return;
    await this.parts.store.replaceCertificate(certificate);
    this.chain.notifyListeners(0, 0);
  }

  private async certified(
    statement: FinalityStatement,
    engineHeight: number,
    generation: number,
  ): Promise<CommitCertificate | null> {
    const validatorSet = this.chain.validatorSetAt(statement.height);
    while (this.isCurrent(generation)) {
      if (this.decidedHeight < engineHeight) {
        await this.pause();
        continue;
      }
      const signed = await this.headerOf(engineHeight);
      if (!signed) {
        await this.pause(RETRY_MILLISECONDS);
        continue;
      }
      this.watch.noteTimes(signed.signatures);
      const votes = signed.signatures.flatMap(({ address, timestamp, signature }) => {
        const known = validatorSet.validators.find((each) => addressOf(each) === address);
        if (!known) return [];
        const { votingPower } = known;
        return [{ validatorId: known.validatorId, votingPower, timestamp, signature }];
      });
      const { commit } = signed;
      const certificate = makeCommitCertificate(statement, validatorSet, { commit, votes });
      const verdict = verifyCertificate(certificate, validatorSet, validatorSet.validatorSetHash);
      if (verdict.ok) return certificate;
      throw new Error(
        `the validators have certified something else than block ${statement.height} (${statement.blockHash}) of this node: ${verdict.reason}`,
      );
    }
    return null;
  }

  /** Returns null if CometBFT does not answer, or has no such header yet. */
  private async headerOf(engineHeight: number): Promise<SignedHeader | null> {
    const { generation } = this;
    try {
      const signed = await this.parts.signedHeader(engineHeight);
      if (generation === this.generation) this.answers = true;
      return signed;
    } catch (error) {
      // An RPC error such as "not yet" counts as an answer.
      if (error instanceof CometbftRpcError && generation === this.generation) this.answers = true;
      return null;
    }
  }

  private wake(): void {
    const woken = [...this.sleepers];
    this.sleepers.clear();
    for (const resolve of woken) resolve();
  }

  private async pause(milliseconds?: number): Promise<void> {
    if (this.closed) return;
    let cancel = (): void => {};
    await new Promise<void>((resolve) => {
      this.sleepers.add(resolve);
      if (milliseconds !== undefined) cancel = this.parts.clock.after(milliseconds, resolve);
    });
    cancel();
  }

  private async untilFewWait(bound = MOST_WAITING): Promise<void> {
    const { generation } = this;
    while (this.waiting.length >= bound && this.isCurrent(generation)) {
      // During a replay, CometBFT answers nothing.
      if (!this.answers) await this.headerOf(this.decidedHeight);
      if (!this.answers) return;
      if (this.waiting.length >= bound) await this.pause();
    }
  }

  /** @throws Error, and halts, if CometBFT replays more blocks than can wait */
  private requireBlocks(): void {
    if (this.waiting.length < MOST_QUEUED) return;
    const error = new Error(
      `this node has its chain up to height ${this.chain.height}, and its CometBFT has decided more than ${MOST_QUEUED} blocks beyond: chain/ is lost or older than what CometBFT has, which cannot bring it back. ${BEGIN_ANEW}`,
    );
    this.events.onHalt(error);
    throw error;
  }

  /** Returns the reason why this code cannot execute the next block; null if it can. */
  private unknownRules(): UnknownRulesError | null {
    try {
      this.executor.requireRules();
      return null;
    } catch (error) {
      if (error instanceof UnknownRulesError) return error;
      throw error;
    }
  }

  /**
   * Halts if this code lacks the rules of the decided block. CometBFT gets no answer, so it replays the block
   * with the next release.
   * @throws UnknownRulesError once CometBFT is gone
   */
  private async requireRules(): Promise<void> {
    const unknown = this.unknownRules();
    if (!unknown) return;
    const { generation } = this;
    await this.untilFewWait(1);
    if (this.isCurrent(generation)) this.events.onHalt(unknown);
    while (this.isCurrent(generation)) await this.pause();
    throw unknown;
  }

  /** @throws Error, and halts, if a vote by this validator's key was not signed here */
  private requireOwnVote(request: RequestFinalizeBlock): void {
    const { ownKey } = this.parts;
    if (!ownKey || !hasVoted(request, ownKey.address)) return;
    const voted = Number(request.height) - 1;
    const { recovered } = ownKey;
    const isTwins = recovered && voted > recovered.certified && voted <= recovered.record;
    const signed = ownKey.signedHeight();
    if (!isTwins && signed >= voted) return;
    const why = isTwins
      ? `its record was recovered above height ${recovered.certified} and lets it sign only above height ${recovered.record}: the old machine, or a copy of its disk, still runs`
      : `priv_validator_state.json here says that it has signed up to height ${signed}: it signs in another place, or has signed there`;
    const error = new Error(
      `the key of this node has voted at height ${voted} of CometBFT, and ${why}. One key must never sign in two places. Stop the other one for good and put its record here, or take the key away and say --full-node`,
    );
    this.events.onHalt(error);
    throw error;
  }

  /** Ends all waits for a CometBFT process that has ended. */
  disconnected(): void {
    this.generation++;
    this.wake();
  }

  /** Drops blocks that are not on disk, because a new CometBFT delivers them again. */
  private async forgetUnwritten(): Promise<void> {
    this.disconnected();
    await this.writing;
    const [first] = this.waiting;
    if (first) this.executor.discard(first.candidate.hash);
    const unsaid = this.finalized?.block;
    if (unsaid) this.executor.discard(unsaid.candidate.hash);
    this.waiting = [];
    this.finalized = null;
    this.decidedHeight = 0;
    this.answers = false;
    this.appHash = newestCertificate(this.parts.store).certificateHash;
  }

  private isDecided({ encoded }: Submission): boolean {
    const isIt = ({ submission, outcome }: DecidedTransaction): boolean =>
      outcome.ok && submission.encoded.transitionHash === encoded.transitionHash;
    return (
      this.waiting.some(({ decided }) => decided.some(isIt)) ||
      this.finalized?.decided.some(isIt) === true
    );
  }

  private tryRead(tx: Uint8Array): Submission | null {
    try {
      const submission = readTransaction(tx);
      const hash = submission.encoded.transitionHash;
      const known = this.known.get(hash);
      if (known) return known;
      this.known.set(hash, submission);
      return submission;
    } catch (error) {
      if (error instanceof ApiError || error instanceof RuleError) return null;
      throw error;
    }
  }

  remember(submission: Submission): void {
    this.known.set(submission.encoded.transitionHash, submission);
  }

  get divergence(): string {
    const { height, blockHash } = this.executor.newest;
    return `the validators have certified something else than block ${height} (${blockHash}) of this node, or than its state before. Where it began say two commands: netd verify -d <its data directory> what of it is not as certified, and netd verify --url <the address of another node> at which block, and after which of its transitions, this version comes to something else. Where both find nothing, let it begin anew, as docs/operations.md says`;
  }

  /** Last height decided since CometBFT connected; 0 before. */
  get engineHeight(): number {
    return this.decidedHeight;
  }

  get newest(): Tip {
    return this.executor.newest;
  }
}
