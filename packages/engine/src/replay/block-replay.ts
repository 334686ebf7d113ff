/**
 * Executes blocks of others by the same code that makes blocks: every envelope is read as strictly as on arrival and
 * accepted again, and every hash, link, root and certificate must come out the same. `netd verify` and followers call it.
 */
import {
  isObservationKind,
  type BlockExecution,
  type StateReader,
  type Submission,
} from '@netd/ledger';
import {
  blockHash,
  encodeEnvelope,
  envelopeKind,
  envelopeViolations,
  parseStrictJsonText,
  StrictJsonError,
  timestampToMs,
  type BlockHeader,
  type ChainEvent,
  type EncodedEnvelope,
  type FinalityCertificate,
  type JsonObject,
  type ValidatorSet,
} from '@netd/protocol';
import { certificateFault } from '../chain/certificate-check.ts';
import { BlockSignatures } from '../mempool/block-signatures.ts';
import type { VerifierPool } from '../mempool/verifier-pool.ts';
import type { BlockWrite } from '../store/store.ts';
import type { BlockExecutor } from '../executor/block-executor.ts';
import type { Tip } from '../executor/tip.ts';
import { isSameJson } from './same-json.ts';

/** A block as it was received. */
export interface SourceBlock {
  header: BlockHeader;
  certificate: FinalityCertificate;
  /** Canonical JSON of the envelopes, in order. */
  transitions: string[];
  /** The same, where it was read and encoded when it came; else that is done here. */
  read?: readonly ReadEnvelope[];
  /** Where they are given: they must be those that replay gives. */
  events?: readonly ChainEvent[];
}

/** An envelope that was read as strictly as on arrival. */
export interface ReadEnvelope {
  envelope: JsonObject;
  encoded: EncodedEnvelope;
}

/** A block that does not follow from the chain: the height, and a sentence that says why. */
export class InvalidChainError extends Error {
  override name = 'InvalidChainError';
  readonly height: number;

  constructor(height: number, reason: string, options: ErrorOptions = {}) {
    super(reason, options);
    this.height = height;
  }
}

/** The block is valid, and its origin sent other events with it than it has. */
export class UntrueEventsError extends InvalidChainError {
  override name = 'UntrueEventsError';
}

/** A block whose signatures are being verified. */
export interface PreparedBlock {
  height: number;
  block: SourceBlock;
  /** Null for a system transition: only execution knows which are due. */
  submissions: Promise<(Submission | null)[]>;
}

/** Transitions whose signatures are verified ahead of execution, so that every core has work. */
const TRANSITIONS_AHEAD = 1_000;
const BLOCKS_AHEAD = 256;

/** A block whose execution gave the header received: a candidate of the executor, and what the store writes for it. */
export interface ReplayedBlock {
  hash: string;
  write: BlockWrite;
}

export class BlockReplay {
  private readonly signatures: BlockSignatures;

  /** @param parts `state` knows the keys in force, or nearly: execution has the last word on them */
  constructor(parts: { state: Pick<StateReader, 'get'>; verifier: VerifierPool }) {
    this.signatures = new BlockSignatures(parts.state, parts.verifier);
  }

  /**
   * Blocks in order, with the signatures of those to come verified meanwhile.
   * @param read whose first error ends it, once the blocks before that one have had their turn
   */
  async *prepareAhead(
    from: number,
    to: number,
    read: (height: number) => Promise<SourceBlock>,
  ): AsyncGenerator<PreparedBlock, void, undefined> {
    const ahead: PreparedBlock[] = [];
    let queued = 0;
    let failure: { error: unknown } | null = null;
    for (let next = from; ;) {
      while (
        next <= to &&
        !failure &&
        (ahead.length < 2 || (queued < TRANSITIONS_AHEAD && ahead.length < BLOCKS_AHEAD))
      ) {
        try {
          const block = await read(next);
          queued += block.transitions.length;
          ahead.push(this.prepare(next++, block));
        } catch (error) {
          failure = { error };
        }
      }
      const prepared = ahead.shift();
      if (prepared) {
        queued -= prepared.block.transitions.length;
        yield prepared;
      } else {
        if (failure) throw failure.error;
        return;
      }
    }
  }

  /** Begins to verify the signatures of a block, on all cores; faults are raised when the block's turn comes. */
  private prepare(height: number, block: SourceBlock): PreparedBlock {
    const submissions = this.prepareAll(height, block);
    submissions.catch(() => {});
    return { height, block, submissions };
  }

  private async prepareAll(
    height: number,
    { read, transitions }: SourceBlock,
  ): Promise<(Submission | null)[]> {
    const envelopes = read ?? transitions.map((text) => readText(height, text));
    const submissions = envelopes.map((envelope) => this.prepareOne(height, envelope));
    await this.signatures.verifyAll(submissions.filter((each) => each !== null));
    return submissions;
  }

  /**
   * Executes a block on the newest one of the executor and compares.
   * @throws InvalidChainError where anything is off; there is no candidate then
   */
  async execute(
    { height, block, submissions }: PreparedBlock,
    executor: BlockExecutor,
  ): Promise<ReplayedBlock> {
    const fail = (reason: string): never => {
      throw new InvalidChainError(height, reason);
    };
    const { header } = block;
    if (header.height !== height) fail('the block stands at the wrong height');
    const requireParent = (): Tip => {
      const parent = executor.newest;
      if (header.previousBlockHash === parent.blockHash) return parent;
      return fail('previousBlockHash is not the hash of the predecessor');
    };
    requireParent();
    const ready = await submissions;
    // From here on in one turn: the predecessor may be on its way to the disk, and must not fall or be committed below us.
    const parent = requireParent();
    const validatorSet = executor.validatorSetAfter(parent);
    // CometBFT may have one of the set before propose the first block of a new one.
    const proposers = [validatorSet, executor.validatorSetAfter(parent, parent.height)].flatMap(
      ({ validators }) => validators,
    );
    if (!proposers.some(({ validatorId }) => validatorId === header.proposerId)) {
      fail(`${header.proposerId} proposed it, which is no validator`);
    }
    const open = executor.open(
      requireParent(),
      timestampOf(header.timestamp, fail),
      header.proposerId,
    );
    if (open.context.timestamp !== header.timestamp) fail('time does not move on');
    const { execution } = open;
    const due = execution.systemTransitions;
    if (due.some(({ text }, index) => block.transitions[index] !== text)) {
      fail('the system transitions that are due do not open the block');
    }
    let index = due.length;
    while (index < ready.length && ready[index] === null) {
      if (!observes(execution, block.transitions[index])) {
        fail(`transition ${index} is a system transition that is not due`);
      }
      index++;
    }
    for (const submission of ready.slice(index)) {
      if (!submission) return fail(`transition ${index} is a system transition that is not due`);
      const outcome = execution.execute(submission);
      if (!outcome.ok) fail(`transition ${index} is refused: ${outcome.refusal.code}`);
      index++;
    }
    const { hash, write } = executor.seal(open);
    try {
      const count = block.transitions.length;
      requireSameHeader(header, { hash, header: write.header, count }, fail);
      this.requireCertificate(block, hash, validatorSet);
      if (block.events && !isSameJson(block.events, write.events)) {
        throw new UntrueEventsError(height, 'the events are not those of the header');
      }
    } catch (error) {
      executor.discard(hash);
      throw error;
    }
    return { hash, write: { ...write, certificate: block.certificate } };
  }

  /** @throws InvalidChainError where the validators of the chain have not certified this very block */
  requireCertificate(block: SourceBlock, hash: string, validatorSet: ValidatorSet): void {
    const fault = certificateFault(block, () => validatorSet, hash);
    if (fault !== null) throw new InvalidChainError(block.header.height, fault);
  }

  /** Holds an envelope against its schema. */
  private prepareOne(height: number, { envelope, encoded }: ReadEnvelope): Submission | null {
    const kind = envelopeKind(envelope);
    if (kind === 'system') return null;
    if (kind === null) {
      throw new InvalidChainError(height, 'a transition is of no known kind');
    }
    const violations = envelopeViolations(kind, envelope);
    if (violations) {
      throw new InvalidChainError(
        height,
        `a transition breaks its schema at ${violations[0]?.path}`,
      );
    }
    return { kind, envelope, encoded, verifiedWith: null };
  }
}

/** Whether the transition is what the validators may say that they have seen. */
function observes(execution: BlockExecution, text: string | undefined): boolean {
  const { kind, subject } = JSON.parse(text ?? 'null') as Record<string, unknown>;
  if (!isObservationKind(kind) || typeof subject !== 'string') return false;
  return execution.observe({ kind, subject }) && execution.systemTransitions.at(-1)?.text === text;
}

/** @throws InvalidChainError where the text is not the canonical JSON of an object */
function readText(height: number, text: string): ReadEnvelope {
  try {
    const { value, canonical } = parseStrictJsonText(text);
    if (!canonical) throw new StrictJsonError('is not canonical JSON', '');
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      throw new StrictJsonError('is not an object', '');
    }
    return { envelope: value, encoded: encodeEnvelope(value, canonical) };
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new InvalidChainError(height, `a transition cannot be read: ${error.message}`);
  }
}

function requireSameHeader(
  received: BlockHeader,
  found: { hash: string; header: BlockHeader; count: number },
  fail: (reason: string) => never,
): void {
  const { count } = found;
  const { transitionsRoot, eventsRoot, stateRoot } = found.header;
  if (transitionsRoot !== received.transitionsRoot) fail('transitionsRoot is wrong');
  if (eventsRoot !== received.eventsRoot) fail(`eventsRoot is wrong ${after(count)}`);
  if (stateRoot !== received.stateRoot) {
    fail(`stateRoot is wrong ${after(count)}: replay gives ${stateRoot}`);
  }
  if (blockHash(received) !== found.hash) fail('the header differs from the one replay gives');
}

/** Which transitions of a block may be what comes to something else: a header has a root for all of them. */
function after(count: number): string {
  if (count < 2) return count === 0 ? 'without a transition' : 'after transition 0, the only one';
  return `after transitions 0 to ${count - 1}`;
}

function timestampOf(timestamp: string, fail: (reason: string) => never): number {
  try {
    return timestampToMs(timestamp);
  } catch {
    return fail('the timestamp is not one');
  }
}
