/**
 * Replays a chain from genesis into a scratch database through the very code that made it, and compares: every
 * envelope is accepted again, every hash, link, root and certificate comes out the same.
 */
import {
  sessionKey,
  type AuthorityRecord,
  type SessionRecord,
  type Submission,
} from '@netd/ledger';
import {
  blockHash,
  encodeEnvelope,
  envelopeKind,
  envelopeViolations,
  parseStrictJsonText,
  publicKeyHash,
  rawKeyFromPem,
  signatureBytes,
  StrictJsonError,
  timestampToMs,
  verifyCertificate,
  type JsonObject,
  type SelfSigned,
  type SignedIntent,
} from '@netd/protocol';
import type { VerifierPool } from '../mempool/verifier-pool.ts';
import { BlockExecutor } from '../executor/block-executor.ts';
import { identityOf, type ChainIdentity } from '../executor/chain-identity.ts';
import { genesisBlock } from '../executor/genesis-block.ts';
import { tipOf } from '../executor/tip.ts';
import { StateTree } from '../store/state-tree.ts';
import type { Store } from '../store/store.ts';
import type { BlockSource, SourceBlock } from './block-source.ts';

/** What is wrong, and where. */
export class InvalidChainError extends Error {
  override name = 'InvalidChainError';
  readonly height: number;

  constructor(height: number, reason: string) {
    super(reason);
    this.height = height;
  }
}

export interface ReplayProgress {
  height: number;
  transitions: number;
}

/** Transitions whose signatures are verified ahead of execution, so that every core has work. */
const VERIFIED_AHEAD = 2_000;

interface PreparedBlock {
  height: number;
  block: SourceBlock;
  /** Null for a system transition: only execution knows which are due. */
  submissions: Promise<(Submission | null)[]>;
}

export class Replay {
  private readonly source: BlockSource;
  private readonly scratch: Store;
  private readonly verifier: VerifierPool;
  private readonly identity: ChainIdentity;
  private readonly onProgress: (progress: ReplayProgress) => void;
  private transitions = 0;

  constructor(
    source: BlockSource,
    scratch: Store,
    verifier: VerifierPool,
    onProgress: (progress: ReplayProgress) => void,
  ) {
    this.source = source;
    this.scratch = scratch;
    this.verifier = verifier;
    this.identity = identityOf(source.genesis);
    this.onProgress = onProgress;
  }

  /**
   * Replays everything.
   * @returns how many transitions were executed
   * @throws InvalidChainError at the first height where something is off
   */
  async run(): Promise<number> {
    const executor = await this.replayGenesis();
    const ahead: PreparedBlock[] = [];
    let next = 1;
    while (executor.newest.height < this.source.height) {
      let queued = ahead.reduce((sum, { block }) => sum + block.transitions.length, 0);
      while (next <= this.source.height && (ahead.length < 2 || queued < VERIFIED_AHEAD)) {
        const prepared = await this.prepare(next++);
        queued += prepared.block.transitions.length;
        ahead.push(prepared);
        if (ahead.length > 256) break;
      }
      const prepared = ahead.shift();
      if (!prepared) break;
      await this.replayBlock(prepared, executor);
      this.onProgress({ height: prepared.height, transitions: this.transitions });
    }
    return this.transitions;
  }

  private async replayGenesis(): Promise<BlockExecutor> {
    const { identity, scratch } = this;
    const tree = new StateTree(scratch);
    const block = await this.read(0);
    const { hash, write } = genesisBlock(this.source.genesis, tree);
    if (blockHash(block.header) !== hash) {
      throw new InvalidChainError(0, 'block 0 does not follow from the genesis document');
    }
    this.requireCertificate(block, hash);
    await scratch.initialise(this.source.genesis, { ...write, certificate: block.certificate });
    return new BlockExecutor({ identity, store: scratch, tree, head: tipOf(write.header, hash) });
  }

  private async read(height: number): Promise<SourceBlock> {
    try {
      return await this.source.block(height);
    } catch (error) {
      throw new InvalidChainError(height, error instanceof Error ? error.message : String(error));
    }
  }

  private async prepare(height: number): Promise<PreparedBlock> {
    const block = await this.read(height);
    const submissions = Promise.all(block.transitions.map((text) => this.prepareOne(height, text)));
    // Faults are raised when the block's turn comes, so that the lowest height is reported.
    submissions.catch(() => {});
    return { height, block, submissions };
  }

  /** Parses a stored envelope as strictly as on arrival and verifies its signature under the key known so far. */
  private async prepareOne(height: number, text: string): Promise<Submission | null> {
    let envelope: JsonObject;
    try {
      const parsed = parseStrictJsonText(text);
      if (!parsed.canonical) throw new StrictJsonError('is not canonical JSON', '');
      const { value } = parsed;
      if (value === null || typeof value !== 'object' || Array.isArray(value)) {
        throw new StrictJsonError('is not an object', '');
      }
      envelope = value;
    } catch (error) {
      if (!(error instanceof StrictJsonError)) throw error;
      throw new InvalidChainError(height, `a transition cannot be read: ${error.message}`);
    }
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
    const encoded = encodeEnvelope(envelope);
    if (kind === 'open') return { kind, envelope, encoded, verifiedWith: null };
    const { actorId, sessionId, signature } = envelope as unknown as SignedIntent;
    const isNewKey = kind !== 'intent';
    const publicKey = isNewKey
      ? declaredKey(envelope as unknown as SelfSigned)
      : this.currentKey(actorId, sessionId);
    const verified =
      publicKey !== null &&
      (await this.isSignedBy(publicKey, encoded.signedBytes, signature, isNewKey));
    // Where this did not settle it (a key from the same block, say), execution verifies by itself.
    return { kind, envelope, encoded, verifiedWith: verified ? publicKey : null };
  }

  private async isSignedBy(
    publicKey: string,
    message: Uint8Array,
    signatureText: string,
    isNewKey: boolean,
  ): Promise<boolean> {
    const key = rawKeyFromPem(publicKey);
    const signature = signatureBytes(signatureText);
    if (!key || !signature) return false;
    return (await this.verifier.verify({ key, message, signature, isNewKey })) === 'valid';
  }

  private currentKey(actorId: string, sessionId: string | undefined): string | null {
    const holder = this.scratch.get(
      sessionId === undefined
        ? `authority/${actorId}`
        : `session/${sessionKey(actorId, sessionId)}`,
    ) as AuthorityRecord | SessionRecord | undefined;
    return holder?.publicKey ?? null;
  }

  private async replayBlock(
    { height, block, submissions }: PreparedBlock,
    executor: BlockExecutor,
  ): Promise<void> {
    const fail = (reason: string): never => {
      throw new InvalidChainError(height, reason);
    };
    const { header } = block;
    if (header.height !== height) fail('the block stands at the wrong height');
    const parent = executor.newest;
    if (header.previousBlockHash !== parent.blockHash) {
      fail('previousBlockHash is not the hash of the predecessor');
    }
    const open = executor.open(parent, timestampOf(header.timestamp, fail));
    if (open.context.timestamp !== header.timestamp) fail('time does not move on');
    const { execution } = open;
    const ready = await submissions;
    const due = execution.systemTransitions;
    if (due.some(({ text }, index) => block.transitions[index] !== text)) {
      fail('the system transitions that are due do not open the block');
    }
    for (const [offset, submission] of ready.slice(due.length).entries()) {
      const index = due.length + offset;
      if (!submission) return fail(`transition ${index} is a system transition that is not due`);
      const outcome = execution.execute(submission);
      if (!outcome.ok) fail(`transition ${index} is refused: ${outcome.refusal.code}`);
    }
    const { hash, write } = executor.seal(open);
    const found = write.header;
    if (found.transitionsRoot !== header.transitionsRoot) fail('transitionsRoot is wrong');
    if (found.eventsRoot !== header.eventsRoot) fail('eventsRoot is wrong');
    if (found.stateRoot !== header.stateRoot) {
      fail(`stateRoot is wrong: replay gives ${found.stateRoot}`);
    }
    if (blockHash(header) !== hash) fail('the header differs from the one replay gives');
    this.requireCertificate(block, hash);
    await this.scratch.commitBlock({ ...write, certificate: block.certificate });
    executor.commit(hash);
    this.transitions += ready.length;
  }

  private requireCertificate({ header, certificate }: SourceBlock, hash: string): void {
    const { validatorSet } = this.identity;
    const verdict = verifyCertificate(certificate, validatorSet, validatorSet.validatorSetHash);
    if (!verdict.ok) {
      throw new InvalidChainError(header.height, `the certificate is not valid: ${verdict.reason}`);
    }
    if (certificate.height !== header.height || certificate.blockHash !== hash) {
      throw new InvalidChainError(header.height, 'the certificate is about another block');
    }
    if (certificate.stateRoot !== header.stateRoot) {
      throw new InvalidChainError(header.height, 'the certificate is about another state');
    }
  }
}

function timestampOf(timestamp: string, fail: (reason: string) => never): number {
  try {
    return timestampToMs(timestamp);
  } catch {
    return fail('the timestamp is not one');
  }
}

/** The key an envelope brings, where its hash is right; null leaves the refusal to the ledger. */
function declaredKey({ publicKey, publicKeyHash: declared }: SelfSigned): string | null {
  return declared === publicKeyHash(publicKey) ? publicKey : null;
}
