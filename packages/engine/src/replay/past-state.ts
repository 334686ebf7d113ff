/**
 * The state as it was at an earlier height, executed again in memory: what a database holds is the newest state alone. It begins
 * with genesis, of a fork with the state that it forked, of a follower whose first blocks are missing with a checkpoint that lies
 * in its data directory. Blocks are read and nothing is written. It stays where it got to, so that a later height costs the blocks
 * between.
 */
import {
  BlockExecution,
  forkState,
  genesisState,
  makeSubmission,
  parseStateKey,
  StateOverlay,
  TransitionTrace,
  type BlockContext,
  type Outcome,
  type TraceOf,
  type Write,
} from '@netd/ledger';
import {
  envelopeKind,
  firstHeightOf,
  timestampToMs,
  type BlockHeader,
  type Genesis,
  type JsonObject,
} from '@netd/protocol';
import type { ForkPointFiles } from '../chain/checkpoints.ts';
import { dryExecution } from '../executor/dry-execution.ts';
import { emptyState } from '../executor/genesis-block.ts';
import { tipOf, type Tip } from '../executor/tip.ts';
import type { Snapshot, StoredBlock } from '../store/snapshot.ts';
import { InvalidChainError } from './block-replay.ts';
import { ChunkedState, StateFilesError } from './chunked-state.ts';

/** A committed transition, and what it did. */
export interface TracedTransition {
  transitionHash: string;
  height: number;
  /** Its position in the block. */
  index: number;
  /** The time of its block, RFC 3339. */
  timestamp: string;
  envelope: JsonObject;
  trace: TransitionTrace;
}

/** What was tried on a past state. */
export interface TriedAction {
  outcome: Outcome;
  trace: TransitionTrace;
  /** The height at which the action would have been executed. */
  height: number;
  timestamp: string;
}

/** A state in chunks, and whether all of them have been read. */
interface Base {
  files: ForkPointFiles;
  state: ChunkedState;
  isRead: boolean;
}

export class PastState {
  private readonly genesis: Genesis;
  private readonly states: readonly ForkPointFiles[];
  private state: StateOverlay;
  /** The block whose state this is; null before the first has been looked at. */
  private tip: Tip | null = null;
  /** What it began with, unless that was genesis. */
  private base: Base | null = null;

  /** @param states checkpoints that lie here: that of a fork, and those to begin with where the blocks before are missing */
  constructor(genesis: Genesis, states: readonly ForkPointFiles[] = []) {
    this.genesis = genesis;
    this.states = states;
    this.state = new StateOverlay(emptyState);
  }

  /**
   * Executes towards a height, or from the beginning again where it is past that height or its blocks were taken back.
   * @param height not before the first block of the chain
   * @param most blocks and transitions to execute now, or a few more; one chunk of a state is a portion of its own
   * @returns whether it is there
   * @throws InvalidChainError, HistoryNotHeldError, StateFilesError
   */
  moveTo(height: number, snapshot: Snapshot, most = Infinity): boolean {
    const first = firstHeightOf(this.genesis);
    if (height < first) throw new RangeError(`the chain begins at height ${first}`);
    const { tip } = this;
    if (!tip || tip.height > height || hashAt(snapshot, tip.height) !== tip.blockHash) {
      this.tip = null;
      while (!this.begin(height, snapshot)) if (most !== Infinity) return false;
    }
    let done = 0;
    while (this.here.height < height) {
      if (done >= most) return false;
      const next = blockAt(snapshot, this.here.height + 1);
      const execution = this.executionOf(next.header);
      const count = this.run(execution, snapshot, next.header);
      const { state, eventsRoot, transitionsRoot } = execution.finish();
      if (
        eventsRoot !== next.header.eventsRoot ||
        transitionsRoot !== next.header.transitionsRoot
      ) {
        throw new InvalidChainError(next.header.height, 'executed again it is another block');
      }
      this.take(state.writes());
      for (const [hash, expiry] of state.spentNonces()) this.state.spendNonce(hash, expiry);
      this.tip = tipOf(next.header);
      done += 1 + count;
    }
    return true;
  }

  /**
   * Executes the block after this state as far as one of its transitions, and tells what that did.
   * @param found where it stands; this is the state of the height before
   */
  trace(
    transitionHash: string,
    found: { height: number; index: number },
    snapshot: Snapshot,
  ): TracedTransition {
    const { height, index } = found;
    const { header } = blockAt(snapshot, height);
    if (this.here.height !== height - 1)
      throw new RangeError(`the state of ${height - 1} is needed`);
    const trace = new TransitionTrace();
    const traceOf: TraceOf = (_hash, at) => (at === index ? trace : null);
    this.run(this.executionOf(header, traceOf), snapshot, header, index);
    const text = snapshot.transitionAt(height, index)?.text ?? '{}';
    const envelope = JSON.parse(text) as JsonObject;
    return { transitionHash, height, index, timestamp: header.timestamp, envelope, trace };
  }

  /** What an action would have come to in the block after this state, without a signature; what was due there is left alone. */
  tryAction(actorId: string, action: string, payload: JsonObject): TriedAction {
    const trace = new TransitionTrace();
    const time = timestampToMs(this.here.timestamp) + 1;
    const execution = dryExecution(this.state, this.here, time, () => trace);
    const outcome = execution.tryAction(actorId, action, payload);
    const { height, timestamp } = this.here;
    return { outcome, trace, height: height + 1, timestamp };
  }

  private get here(): Tip {
    if (!this.tip) throw new Error('moveTo comes first');
    return this.tip;
  }

  /**
   * Goes to where blocks begin, one chunk at a time.
   * @returns whether it is there
   */
  private begin(height: number, snapshot: Snapshot): boolean {
    const { genesis } = this;
    const first = firstHeightOf(genesis);
    const files = this.stateFor(height, snapshot);
    if (!files) {
      const { header } = blockAt(snapshot, first);
      if (genesis.fork) throw new StateFilesError('the state at which it forked is missing');
      this.state = new StateOverlay(emptyState);
      for (const [key, text] of genesisState(genesis)) {
        const parsed = parseStateKey(key);
        if (!parsed || text === null) throw new Error(`genesis writes ${key}`);
        this.state.put(parsed.collection, parsed.id, JSON.parse(text));
      }
      this.tip = tipOf(header);
      return true;
    }
    if (this.base?.files !== files) {
      this.base = { files, state: new ChunkedState(files), isRead: false };
    }
    const { base } = this;
    try {
      base.isRead ||= base.state.readChunk();
    } catch (error) {
      // It may have been put back when it is asked for again.
      this.base = null;
      throw error;
    }
    if (!base.isRead) return false;
    this.state = new StateOverlay(base.state);
    const isFork = files.checkpoint.height < first;
    if (isFork) this.take(forkState(genesis, base.state, base.state.idsOf('validator')).writes());
    const { header } = blockAt(snapshot, isFork ? first : files.checkpoint.height);
    this.tip = tipOf(header);
    return true;
  }

  /** The state to begin with, null for genesis: that of the fork, or the newest one of the chain below a height. */
  private stateFor(height: number, snapshot: Snapshot): ForkPointFiles | null {
    const { fork } = this.genesis;
    const held = snapshot.history.from;
    if (held > firstHeightOf(this.genesis)) {
      const usable = this.states.filter(({ checkpoint }) => {
        const { height: at, blockHash } = checkpoint;
        return at >= held && at <= height && hashAt(snapshot, at) === blockHash;
      });
      const newest = usable.toSorted((a, b) => a.checkpoint.height - b.checkpoint.height).at(-1);
      if (newest) return newest;
      // What is missing says it.
      snapshot.requireHeld(firstHeightOf(this.genesis));
    }
    if (!fork) return null;
    return this.states.find(({ checkpoint }) => checkpoint.blockHash === fork.blockHash) ?? null;
  }

  private executionOf(header: BlockHeader, traceOf?: TraceOf): BlockExecution {
    const context: BlockContext = {
      height: header.height,
      time: timestampToMs(header.timestamp),
      timestamp: header.timestamp,
      previousBlockHash: header.previousBlockHash,
    };
    return new BlockExecution(this.state, context, this.here, traceOf ? { traceOf } : {});
  }

  /**
   * Executes what was sent, after what was due by itself.
   * @param last the index of the last transition to execute
   * @returns how many transitions the block has
   */
  private run(
    execution: BlockExecution,
    snapshot: Snapshot,
    { height }: BlockHeader,
    last = Infinity,
  ): number {
    const transitions = snapshot.transitionsOf(height);
    for (const { text, index } of transitions) {
      if (index > last) break;
      const envelope = JSON.parse(text) as JsonObject;
      const kind = envelopeKind(envelope);
      if (kind === 'system') continue;
      if (kind === null) throw new InvalidChainError(height, 'a transition is of no known kind');
      const outcome = execution.execute(makeSubmission(kind, envelope));
      if (!outcome.ok) {
        const { code } = outcome.refusal;
        throw new InvalidChainError(height, `transition ${index} is refused: ${code}`);
      }
    }
    return transitions.length;
  }

  /** Takes over what a block wrote: one overlay, however many blocks. */
  private take(writes: readonly Write[]): void {
    for (const { key, collection, after } of writes) {
      if (collection === null) continue;
      const id = key.slice(collection.length + 1);
      if (after === undefined) this.state.delete(collection, id);
      else this.state.put(collection, id, after as never);
    }
  }
}

function blockAt(snapshot: Snapshot, height: number): StoredBlock {
  const block = snapshot.blockAt(height);
  if (!block) throw new InvalidChainError(height, 'the block is missing');
  return block;
}

const hashAt = (snapshot: Snapshot, height: number): string | null =>
  height > snapshot.height ? null : tipOf(blockAt(snapshot, height).header).blockHash;
