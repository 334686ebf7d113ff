/** The state after an earlier block, replayed from genesis, a fork's state or a local checkpoint. */
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

export interface TracedTransition {
  transitionHash: string;
  height: number;
  index: number;
  /** RFC 3339. */
  timestamp: string;
  envelope: JsonObject;
  trace: TransitionTrace;
}

export interface TriedAction {
  outcome: Outcome;
  trace: TransitionTrace;
  height: number;
  timestamp: string;
}

interface Base {
  files: ForkPointFiles;
  state: ChunkedState;
  isRead: boolean;
}

export class PastState {
  private readonly genesis: Genesis;
  private readonly states: readonly ForkPointFiles[];
  private state: StateOverlay;
  private tip: Tip | null = null;
  private base: Base | null = null;

  constructor(genesis: Genesis, states: readonly ForkPointFiles[] = []) {
    this.genesis = genesis;
    this.states = states;
    this.state = new StateOverlay(emptyState);
  }

  /**
   * Moves towards a height. Starts again if it is past the height, or its blocks were taken back.
   * @param most approximate number of blocks and transitions per call
   * @returns true once it has arrived
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

  /** Call it while the state is that of the previous height. */
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
   * Loads one chunk of the initial state per call.
   * @returns true once all are loaded
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

  /** Returns the checkpoint to start from; null for genesis. */
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
