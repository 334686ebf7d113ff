/** The simplest store: pairs in a map, and the root by its definition. */
import {
  blockHash,
  canonicalize,
  GENESIS_PREVIOUS_HASH,
  merkleRoot,
  msToTimestamp,
  stateRoot,
  timestampToMs,
  type BlockHeader,
  type ChainEvent,
  type Genesis,
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
  private readonly nonces = new Map<string, number>();
  /** Keys of queued records. */
  private readonly queued = new Set<string>();
  private readonly genesisSet: ValidatorSet;
  private head: LedgerTip;

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
      stateRoot: stateRoot(this.texts),
    });
    this.head = tipOf(context, this.genesisHeader);
  }

  get tip(): LedgerTip {
    return this.head;
  }

  get(key: string): unknown {
    return this.records.get(key);
  }

  due(queue: string, upTo: number, limit: number): string[] {
    const found: { key: string; at: number }[] = [];
    for (const key of this.queued) {
      const entry = queueEntry(key, this.records.get(key));
      if (entry?.queue === queue && entry.at <= upTo) found.push({ key, at: entry.at });
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
    const time = this.head.time + Math.max(1, milliseconds);
    return {
      height: this.head.height + 1,
      time,
      timestamp: msToTimestamp(time),
      previousBlockHash: this.head.blockHash,
    };
  }

  open(context: BlockContext = this.nextContext()): BlockExecution {
    return new BlockExecution(this, context, this.head);
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
    if (context.height !== this.head.height + 1) throw new Error(`not the next height`);
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
    const root = executed.changes.size === 0 ? this.head.stateRoot : stateRoot(this.texts);
    const header = this.headerOf(context, {
      transitionsRoot,
      eventsRoot,
      transitionCount: transitionHashes.length,
      stateRoot: root,
    });
    this.head = tipOf(context, header);
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
      blockHash: this.head.blockHash,
    };
    this.blocks.push(block);
    return block;
  }

  /** Skips empty blocks: the state stays, height and time advance. */
  advance(heights: number, milliseconds = heights): void {
    this.head = {
      ...this.head,
      height: this.head.height + heights,
      time: this.head.time + milliseconds,
    };
  }

  /** Writes a record directly into the committed state. */
  seed<Name extends CollectionName>(name: Name, id: IdOf<Name>, record: Collections[Name]): void {
    this.take(new Map([[stateKey(name, id), canonicalize(record)]]));
    this.head = { ...this.head, stateRoot: stateRoot(this.texts) };
  }

  private take(changes: ReadonlyMap<string, string | null>): void {
    for (const [key, text] of changes) {
      if (key.startsWith('nonce/')) this.forgetNonces(key);
      if (text === null) {
        this.texts.delete(key);
        this.records.delete(key);
        this.queued.delete(key);
        continue;
      }
      const record: unknown = deepFreeze(JSON.parse(text));
      this.texts.set(key, text);
      this.records.set(key, record);
      if (queueEntry(key, record)) this.queued.add(key);
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
