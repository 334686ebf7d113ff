/** The simplest store: pairs in a map, and the root over all of them. */
import {
  blockHash,
  bytesToHex,
  canonicalize,
  compareKeyHashes,
  GENESIS_PREVIOUS_HASH,
  merkleRoot,
  msToTimestamp,
  sha256,
  subtreeNode,
  timestampToMs,
  type BlockHeader,
  type ChainEvent,
  type Genesis,
  type TreeLeaf,
  type ValidatorSet,
} from '@netd/protocol';
import type { AccountRecord } from '../actions/accounts/records.ts';
import type { BlockContext } from '../transition.ts';
import {
  BlockExecution,
  type BlockTransition,
  type ExecutedBlock,
  type Outcome,
  type Submission,
} from '../block-execution.ts';
import { stateKey, type CollectionName, type Collections, type IdOf } from '../collections.ts';
import type { SpentNonce } from '../chain-records.ts';
import { genesisState, genesisValidatorSet } from '../genesis.ts';
import type { Observation } from '../observations.ts';
import { validatorSetAt } from '../validator-set.ts';
import { queueEntry, StateOverlay, type StateReader } from '../state.ts';
import { requireCanonicalOrder } from './canonical-order.ts';
import {
  requireDeclaredEvents,
  requireDeclaredRefusal,
  requireDeclaredSpending,
} from './declared.ts';

export interface LedgerTip {
  height: number;
  /** Header time in milliseconds. */
  time: number;
  blockHash: string;
  stateRoot: string;
}

/** Enough to replay the block elsewhere. */
export interface CommittedBlock {
  context: BlockContext;
  header: BlockHeader;
  submissions: readonly Submission[];
  transitions: readonly BlockTransition[];
  events: readonly ChainEvent[];
  /** Changed pairs as canonical JSON, null for a deletion. */
  changes: ReadonlyMap<string, string | null>;
  transitionHashes: readonly string[];
  transitionsRoot: string;
  eventsRoot: string;
  stateRoot: string;
  blockHash: string;
}

export class MemoryLedger implements StateReader {
  readonly genesis: Genesis;
  readonly genesisHeader: BlockHeader;
  readonly blocks: CommittedBlock[] = [];
  private readonly texts = new Map<string, string>();
  private readonly records = new Map<string, unknown>();
  /** Of each pair, so that a block hashes only what it changes. */
  private readonly leaves = new Map<string, TreeLeaf>();
  private readonly nonces = new Map<string, number>();
  /** Queued records, by key. */
  private readonly queued = new Map<string, { queue: string; at: number }>();
  private readonly genesisSet: ValidatorSet;
  private latest: LedgerTip;
  /** True while `latest` lacks the root of what was seeded last. */
  private isSeeded = false;

  /** @throws Error if the genesis is invalid */
  constructor(genesis: Genesis) {
    this.genesis = genesis;
    this.genesisSet = genesisValidatorSet(genesis);
    this.take(genesisState(genesis));
    const time = timestampToMs(genesis.genesisTime);
    const context = {
      height: 0,
      time,
      timestamp: genesis.genesisTime,
      previousBlockHash: GENESIS_PREVIOUS_HASH,
    };
    this.genesisHeader = this.headerOf(context, {
      transitionsRoot: merkleRoot([]),
      eventsRoot: merkleRoot([]),
      transitionCount: 0,
      stateRoot: this.root(),
    });
    this.latest = tipOf(context, this.genesisHeader);
  }

  /** A ledger with the same blocks and state, which continues on its own. */
  copy(): MemoryLedger {
    const copy = Object.create(MemoryLedger.prototype) as MemoryLedger;
    return Object.assign(copy, this, {
      blocks: [...this.blocks],
      texts: new Map(this.texts),
      records: new Map(this.records),
      leaves: new Map(this.leaves),
      nonces: new Map(this.nonces),
      queued: new Map(this.queued),
    });
  }

  /** A ledger that begins with the pairs of this one, as from a checkpoint. */
  restored(): MemoryLedger {
    const restored = Object.assign(this.copy(), {
      texts: new Map<string, string>(),
      records: new Map<string, unknown>(),
      leaves: new Map<string, TreeLeaf>(),
      nonces: new Map<string, number>(),
      queued: new Map<string, { queue: string; at: number }>(),
    }) as MemoryLedger;
    restored.take(this.texts);
    return restored;
  }

  get tip(): LedgerTip {
    if (this.isSeeded) this.latest = { ...this.latest, stateRoot: this.root() };
    this.isSeeded = false;
    return this.latest;
  }

  get(key: string): unknown {
    return this.records.get(key);
  }

  due(queue: string, upTo: number, limit: number): string[] {
    const found: { key: string; at: number }[] = [];
    for (const [key, entry] of this.queued) {
      if (entry.queue === queue && entry.at <= upTo) found.push({ key, at: entry.at });
    }
    found.sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));
    return found.slice(0, limit).map(({ key }) => key);
  }

  spentNonceExpiry(nonceHash: string): number | undefined {
    return this.nonces.get(nonceHash);
  }

  record<Name extends CollectionName>(name: Name, id: IdOf<Name>): Collections[Name] | undefined {
    return this.records.get(stateKey(name, id)) as Collections[Name] | undefined;
  }

  validatorSetAt(height: number): ValidatorSet {
    return validatorSetAt(new StateOverlay(this), height) ?? this.genesisSet;
  }

  /** Canonical JSON by key. */
  pairs(): ReadonlyMap<string, string> {
    return this.texts;
  }

  nextContext(milliseconds = 100): BlockContext {
    const time = this.latest.time + Math.max(1, milliseconds);
    return {
      height: this.latest.height + 1,
      time,
      timestamp: msToTimestamp(time),
      previousBlockHash: this.latest.blockHash,
    };
  }

  open(context: BlockContext = this.nextContext()): BlockExecution {
    return new BlockExecution(this, context, this.tip);
  }

  execute(
    submissions: readonly Submission[],
    context: BlockContext = this.nextContext(),
    observations: readonly Observation[] = [],
  ): { outcomes: Outcome[]; executed: ExecutedBlock } {
    const execution = this.open(context);
    for (const observation of observations) {
      if (!execution.observe(observation))
        throw new Error(`${observation.subject} is not observable`);
    }
    const outcomes = submissions.map((submission) => {
      const outcome = execution.execute(submission);
      requireDeclaredRefusal(submission, outcome);
      return outcome;
    });
    const executed = execution.finish();
    this.commit(
      context,
      executed,
      submissions.filter((_, i) => outcomes[i]?.ok),
    );
    return { outcomes, executed };
  }

  /** @param submissions the accepted ones, in order */
  commit(
    context: BlockContext,
    executed: ExecutedBlock,
    submissions: readonly Submission[],
  ): CommittedBlock {
    if (context.height !== this.latest.height + 1) throw new Error(`not the next height`);
    const policy = this.record('policy', 'limits');
    requireDeclaredEvents(executed, submissions);
    requireCanonicalOrder(executed, submissions);
    if (policy) {
      const account = (key: string) => this.records.get(key) as AccountRecord | undefined;
      requireDeclaredSpending(executed, submissions, policy, account);
    }
    this.take(executed.changes);
    const { transitionsRoot, eventsRoot } = executed;
    const transitionHashes = executed.transitions.map(({ hash }) => hash);
    const root = executed.changes.size === 0 ? this.tip.stateRoot : this.root();
    const header = this.headerOf(context, {
      transitionsRoot,
      eventsRoot,
      transitionCount: transitionHashes.length,
      stateRoot: root,
    });
    this.latest = tipOf(context, header);
    const block = {
      context,
      header,
      submissions,
      transitions: executed.transitions,
      events: executed.events,
      changes: executed.changes,
      transitionHashes,
      transitionsRoot,
      eventsRoot,
      stateRoot: root,
      blockHash: this.latest.blockHash,
    };
    this.blocks.push(block);
    return block;
  }

  /** Skips empty blocks: the state stays, height and time advance. */
  advance(heights: number, milliseconds = heights): void {
    const { height, time } = this.latest;
    this.latest = { ...this.latest, height: height + heights, time: time + milliseconds };
  }

  /** Writes a record directly into the committed state. */
  seed<Name extends CollectionName>(name: Name, id: IdOf<Name>, record: Collections[Name]): void {
    this.take(new Map([[stateKey(name, id), canonicalize(record)]]));
    this.isSeeded = true;
  }

  private root(): string {
    const sorted = [...this.leaves.values()].sort((a, b) => compareKeyHashes(a.keyHash, b.keyHash));
    return bytesToHex(subtreeNode(sorted, 0));
  }

  private take(changes: ReadonlyMap<string, string | null>): void {
    for (const [key, text] of changes) {
      if (key.startsWith('nonce/')) this.forgetNonces(key);
      if (text === null) {
        this.texts.delete(key);
        this.records.delete(key);
        this.leaves.delete(key);
        this.queued.delete(key);
        continue;
      }
      const record: unknown = deepFreeze(JSON.parse(text));
      this.texts.set(key, text);
      this.records.set(key, record);
      this.leaves.set(key, { keyHash: sha256(key), valueHash: sha256(text) });
      const entry = queueEntry(key, record);
      if (entry) this.queued.set(key, entry);
      else this.queued.delete(key);
      if (!key.startsWith('nonce/')) continue;
      for (const { hash, expiry } of record as SpentNonce[]) {
        this.nonces.set(hash, Math.max(expiry, this.nonces.get(hash) ?? 0));
      }
    }
  }

  /** Keeps a nonce that was spent again with a later expiry. */
  private forgetNonces(key: string): void {
    for (const { hash, expiry } of (this.records.get(key) ?? []) as SpentNonce[]) {
      if (this.nonces.get(hash) === expiry) this.nonces.delete(hash);
    }
  }

  private headerOf(
    context: BlockContext,
    content: Pick<BlockHeader, 'stateRoot' | 'transitionsRoot' | 'eventsRoot' | 'transitionCount'>,
  ): BlockHeader {
    return {
      schema: 'NET-BLOCK/1',
      chainId: this.genesis.chainId,
      epoch: this.genesis.epoch,
      height: context.height,
      timestamp: context.timestamp,
      previousBlockHash: context.previousBlockHash,
      ...content,
      proposerId: this.genesis.validators[0]?.validatorId ?? '',
      validatorSetHash: this.validatorSetAt(context.height).validatorSetHash,
    };
  }
}

function tipOf({ height, time }: BlockContext, header: BlockHeader): LedgerTip {
  return { height, time, blockHash: blockHash(header), stateRoot: header.stateRoot };
}

/** Records are shared; changing a frozen one throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
