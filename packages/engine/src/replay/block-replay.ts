/**
 * Replays blocks. Envelopes are parsed as on arrival, and all hashes, links, roots and certificates must
 * match.
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

export interface SourceBlock {
  header: BlockHeader;
  certificate: FinalityCertificate;
  /** Canonical JSON, in order. */
  transitions: string[];
  /** The parsed transitions; undefined to parse them here. */
  read?: readonly ReadEnvelope[];
  /** If given, they must equal the replayed events. */
  events?: readonly ChainEvent[];
}

export interface ReadEnvelope {
  envelope: JsonObject;
  encoded: EncodedEnvelope;
}

export class InvalidChainError extends Error {
  override name = 'InvalidChainError';
  readonly height: number;

  constructor(height: number, reason: string, options: ErrorOptions = {}) {
    super(reason, options);
    this.height = height;
  }
}

/** The block is valid, but came with wrong events. */
export class UntrueEventsError extends InvalidChainError {
  override name = 'UntrueEventsError';
}

export interface PreparedBlock {
  height: number;
  block: SourceBlock;
  /** Null for system transitions: only execution knows which are due. */
  submissions: Promise<(Submission | null)[]>;
}

const TRANSITIONS_AHEAD = 1_000;
const BLOCKS_AHEAD = 256;

export interface ReplayedBlock {
  hash: string;
  write: BlockWrite;
}

export class BlockReplay {
  private readonly signatures: BlockSignatures;

  constructor(parts: { state: Pick<StateReader, 'get'>; verifier: VerifierPool }) {
    this.signatures = new BlockSignatures(parts.state, parts.verifier);
  }

  /**
   * Verifies signatures of later blocks meanwhile.
   * @param read its first error ends the generator, once the blocks before it are yielded
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
   * @throws InvalidChainError on any difference, UnknownRulesError if this code lacks the rules; then there
   * is no candidate
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
    // Check this first, because later rules may break this code's schemas.
    executor.requireRules();
    const ready = await submissions;
    // No await from here on, so that the predecessor is neither discarded nor committed meanwhile.
    const parent = requireParent();
    const validatorSet = executor.validatorSetAfter(parent);
    // CometBFT may let a validator of the previous set propose the first block of a new one.
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

  /** @throws InvalidChainError if the validators did not certify this block */
  requireCertificate(block: SourceBlock, hash: string, validatorSet: ValidatorSet): void {
    const fault = certificateFault(block, () => validatorSet, hash);
    if (fault !== null) throw new InvalidChainError(block.header.height, fault);
  }

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

function observes(execution: BlockExecution, text: string | undefined): boolean {
  const { kind, subject } = JSON.parse(text ?? 'null') as Record<string, unknown>;
  if (!isObservationKind(kind) || typeof subject !== 'string') return false;
  return execution.observe({ kind, subject }) && execution.systemTransitions.at(-1)?.text === text;
}

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
