/** Reads with proofs, so that you need not trust any node. */
import {
  canonicalize,
  NetSdkError,
  type NetSdkErrorOptions,
  eventHash,
  genesisHash,
  hashValue,
  makeValidatorSet,
  merkleRoot,
  headerFault,
  verifyMerkleProof,
  verifyStateProof,
  type BlockHeader,
  type FinalityCertificate,
  type JsonObject,
  type Receipt,
  ValidatorSets,
} from '@netd/protocol';
import type { NetClient } from './client.ts';
import { NetError } from './http.ts';
import { requireKind } from './option-names.ts';
import type { DocumentOf } from './reads.ts';

/** The start of trust. Get it from a source other than the node. */
export type Anchor = { genesisHash: string } | { validatorSetHash: string };

/**
 * `trusted`: certified by the anchor's validators. `self-consistent`: no contradictions, but the node may
 * have invented the chain.
 */
export type Verdict = 'trusted' | 'self-consistent';

/** Thrown if an answer does not follow from the certified block. */
export class VerificationError extends NetSdkError {
  override name = 'VerificationError';

  constructor(
    message: string,
    { code = 'VERIFICATION_FAILED', ...options }: Partial<NetSdkErrorOptions> = {},
  ) {
    super(message, { code, ...options });
  }
}

/** Thrown if the state is proven but too old: the node is behind, or hides later blocks. */
export class StaleStateError extends VerificationError {
  override name = 'StaleStateError';
  /** Height of the proven state. */
  readonly height: number;

  constructor(message: string, height: number) {
    super(message, { code: 'STATE_STALE', data: { height } });
    this.height = height;
  }
}

/** Bounds on the age of an answer. Without them a node can show an old state. */
export interface Freshness {
  /** Lowest acceptable height, for example of your last receipt. */
  minHeight?: number;
  /**
   * Largest difference in milliseconds between the block's time and this machine's clock. An idle chain makes
   * a block every ten seconds.
   */
  maxAge?: number;
}

/** A value of the state, with its proof checked. */
export interface VerifiedState {
  /** The value; null if the key has none. */
  value: unknown;
  /** True if the key has a value. */
  present: boolean;
  /** Height of the state. */
  height: number;
  /** How the certificate was checked. */
  verdict: Verdict;
}

/** The header of a block, with its certificate checked. */
export interface VerifiedHeader {
  /** Its header. */
  header: BlockHeader;
  /** How the certificate was checked. */
  verdict: Verdict;
}

/** A committed envelope and its receipt, with their proof checked. */
export interface VerifiedTransition {
  /** The envelope as signed. */
  envelope: JsonObject;
  /** Its receipt. */
  receipt: Receipt;
  /** How the certificate was checked. */
  verdict: Verdict;
}

/** A block, with its certificate checked. */
export interface VerifiedBlock {
  /** Header of the block. */
  header: BlockHeader;
  /** Certificate of the validators. */
  certificate: FinalityCertificate;
  /** Hashes of its transitions, in order. */
  transitions: readonly string[];
  /** Its events, in order. */
  events: Block['events'];
  /** How the certificate was checked. */
  verdict: Verdict;
}

/** The history of an order, with its proofs checked. */
export interface VerifiedAudit {
  /** The order at that height. */
  order: unknown;
  /** Height of the proof. */
  height: number;
  /** Events of the order so far: all of each block that the node names. It may have left out blocks. */
  events: AuditEvent[];
  /** How the certificates were checked. */
  verdict: Verdict;
}

/** An event in the history of an order. */
export type AuditEvent =
  DocumentOf<'/v1/work-orders/{orderId}/audit'>['timeline']['events'][number];

type Block = DocumentOf<'/v1/blocks/{height}'>;

/** Most heights that a node takes in one request. */
const BLOCKS_AT_ONCE = 100;

interface Trust {
  sets: ValidatorSets;
  /** False if the first validator set comes from the node alone. */
  isAnchored: boolean;
}

/**
 * Verifies what one node answers. State reads never return a height below the highest that was proven before
 * they began.
 */
export class VerifiedReader {
  private readonly client: NetClient;
  private readonly anchor: Anchor | null;
  private highest = 0;
  private trust: Promise<Trust> | null = null;
  /** False once the node has shown that it is too old to answer several blocks at once. */
  private hasWholeBlocks = true;

  /** @param anchor without it, verdicts are `self-consistent` */
  constructor(client: NetClient, anchor: Anchor | null = null) {
    if (anchor && 'genesisHash' in anchor) requireKind('genesisHash', anchor.genesisHash, 'hash');
    this.client = client;
    this.anchor = anchor;
  }

  /** Highest proven height; 0 before the first proof. */
  get height(): number {
    return this.highest;
  }

  /**
   * Returns the value of a state key, or proves its absence.
   * @param key `<collection>/<id>`, for example `account/alice`
   * @throws VerificationError, NetError
   */
  async readState(key: string, freshness: Freshness = {}): Promise<VerifiedState> {
    return (await this.provenState(key, freshness)).state;
  }

  /**
   * Returns the header of the newest block that the node proves. Its time tells how old that is, because a node may hide
   * newer ones.
   * @throws VerificationError, NetError
   */
  async readHead(): Promise<VerifiedHeader> {
    const { certificate, state } = await this.provenState('chain/identity');
    return { header: await this.headerOf(certificate), verdict: state.verdict };
  }

  private async provenState(
    key: string,
    freshness: Freshness = {},
  ): Promise<{ state: VerifiedState; certificate: FinalityCertificate }> {
    // Fix the bound now, because concurrent reads may finish in another order.
    const least = Math.max(this.highest, freshness.minHeight ?? 0);
    await this.trusted();
    const proof = await this.client.read('/v1/state/proof', { key });
    const trust = await this.knowing(proof.certificate);
    const state = checked(() => {
      const { certificate, height } = proof;
      refuseUnless(proof.key === key, 'the proof is for another key');
      refuseUnless(height === certificate.height, 'the certificate is for another height');
      const verdict = certified(certificate, trust);
      const present = proof.leaf.kind === 'present';
      const value = present ? proof.value : null;
      const text = present ? canonicalize(value) : null;
      const found = verifyStateProof(key, text, proof, certificate.stateRoot);
      if (!found.ok) throw new VerificationError(`the state proof fails: ${found.reason}`);
      return { value, present, height, verdict };
    });
    if (state.height < least) {
      const message = `the state is of height ${state.height}, there has been one of ${least} already`;
      throw new StaleStateError(message, state.height);
    }
    if (freshness.maxAge !== undefined) await this.requireAge(proof.certificate, freshness.maxAge);
    this.highest = Math.max(this.highest, state.height);
    return { state, certificate: proof.certificate };
  }

  /** Reads the header of a certified block. The whole block would be as large as its transitions. */
  private async headerOf(certificate: FinalityCertificate): Promise<BlockHeader> {
    const heights = String(certificate.height);
    const list = await this.client.read('/v1/blocks', { heights });
    return checked(() => {
      const [block] = list.blocks;
      refuseUnless(block !== undefined, 'the node says that it lacks a certified block');
      const { blockHash: _, certificateHash: __, ...header } = block;
      requireHeader(header, certificate);
      return header;
    });
  }

  /**
   * Returns a committed envelope, and its receipt with every event.
   * @throws VerificationError, NetError
   */
  async readTransition(transitionHash: string): Promise<VerifiedTransition> {
    await this.trusted();
    const path = '/v1/transitions/{transitionHash}';
    const document = await this.client.read(path, { transitionHash });
    const trust = await this.knowing(document.certificate);
    const at = checked(() => {
      const { height } = document.certificate;
      refuseUnless(document.receipt.height === height, 'the receipt is of another height');
      return height;
    });
    const block = await this.client.read('/v1/blocks/{height}', { height: at });
    return checked(() => {
      const { envelope, receipt, proof, certificate } = document;
      refuseUnless(hashValue(envelope) === transitionHash, 'the envelope has another hash');
      const { header } = block;
      requireHeader(header, certificate);
      const verdict = certified(certificate, trust);
      refuseUnless(
        verifyMerkleProof(transitionHash, proof, header.transitionsRoot) &&
          proof.treeSize === header.transitionCount,
        'the inclusion proof does not lead to the transitionsRoot of the block',
      );
      const events = eventsOf(block)
        .filter(({ transitionIndex }) => transitionIndex === proof.index)
        .map(({ id, type, data }) => ({ id, type, data }));
      const { stateRoot, certificateHash } = certificate;
      const { height, blockHash: hash } = certificate;
      const proven: Receipt = {
        height,
        blockHash: hash,
        stateRoot,
        transitionHash,
        index: proof.index,
        certificateHash,
        events,
      };
      refuseUnless(
        canonicalize(receipt) === canonicalize(proven),
        'the receipt says something else',
      );
      this.highest = Math.max(this.highest, height);
      return { envelope, receipt: proven, verdict };
    });
  }

  /**
   * Returns a block with its complete transitions and events.
   * @throws VerificationError, NetError
   */
  async readBlock(height: number): Promise<VerifiedBlock> {
    await this.trusted();
    const block = await this.client.read('/v1/blocks/{height}', { height });
    return this.provenBlock(height, block);
  }

  /**
   * Returns the blocks of these heights, each once and in their order, with as few requests as the node
   * allows.
   * @throws VerificationError, NetError
   */
  async readBlocks(heights: readonly number[]): Promise<VerifiedBlock[]> {
    await this.trusted();
    const proven: VerifiedBlock[] = [];
    for await (const [height, block] of this.blocksAt([...new Set(heights)])) {
      proven.push(await this.provenBlock(height, block));
    }
    return proven;
  }

  private async provenBlock(height: number, block: Block): Promise<VerifiedBlock> {
    const trust = await this.knowing(block.certificate);
    const proven = checked(() => {
      const verdict = requireBlock(block, height, trust);
      const { header, certificate } = block;
      const transitions = transitionsOf(block);
      return { header, certificate, transitions, events: eventsOf(block), verdict };
    });
    this.highest = Math.max(this.highest, height);
    return proven;
  }

  /** Reads unverified blocks, as many at once as the node gives. */
  private async *blocksAt(heights: readonly number[]): AsyncGenerator<[number, Block]> {
    for (let at = 0; at < heights.length;) {
      const asked = heights.slice(at, at + BLOCKS_AT_ONCE);
      const blocks = await this.firstBlocks(asked);
      refuseUnless(
        isListOfObjects(blocks) && blocks.length > 0 && blocks.length <= asked.length,
        'the answer has no blocks, or more than asked for',
      );
      for (const block of blocks) yield [heights[at++] ?? 0, block];
    }
  }

  /** Returns the first of these blocks, as a node may answer them. An older node answers one at a time. */
  private async firstBlocks(heights: readonly number[]): Promise<unknown> {
    const [height = 0] = heights;
    if (heights.length > 1 && this.hasWholeBlocks) {
      try {
        const { blocks } = await this.client.read('/v1/blocks/whole', { heights: heights.join() });
        return blocks;
      } catch (error) {
        const isOld =
          error instanceof NetError &&
          (error.status === 400 || error.status === 404) &&
          error.code !== 'BLOCK_NOT_FOUND';
        if (!isOld) throw error;
        this.hasWholeBlocks = false;
      }
    }
    return [await this.client.read('/v1/blocks/{height}', { height })];
  }

  /**
   * Returns a work order, no older than its last event, with its audit of at most a hundred events. Each
   * event is proven, and complete within its block. Omitted blocks are not detected.
   * @throws VerificationError, NetError
   */
  async readWorkAudit(orderId: string, freshness: Freshness = {}): Promise<VerifiedAudit> {
    await this.trusted();
    const audit = await this.client.read('/v1/work-orders/{orderId}/audit', { orderId });
    const events = checked(() => {
      const { reportHash, ...rest } = audit;
      refuseUnless(hashValue(rest) === reportHash, 'reportHash is not the hash of the audit');
      const { events: timeline } = audit.timeline;
      const placed = timeline.map((event) => ({ event, height: event.block.height }));
      refuseUnless(placed.length > 0, 'the audit has no event, not even the first');
      return placed;
    });
    const heights = [...new Set(events.map(({ height }) => height))];
    checked(() => {
      const isOrdered = events.every(
        ({ height }, at) => Number.isSafeInteger(height) && height >= (events[at - 1]?.height ?? 0),
      );
      refuseUnless(isOrdered, 'the events are not in order');
    });
    for await (const [height, block] of this.blocksAt(heights)) {
      const trust = await this.knowing(block.certificate);
      checked(() => {
        requireBlock(block, height, trust);
        const shown = events.filter((placed) => placed.height === height);
        const held = eventsOf(block).filter((event) => isOfOrder(event, orderId));
        for (const [at, { event }] of shown.entries()) {
          refuseUnless(isOfOrder(event, orderId), 'an event is of another order');
          refuseUnless(
            event.id === held[at]?.id,
            'an event stands twice, is left out or misplaced',
          );
          requireEvent(event, block);
        }
        // No order has more events than an audit lists, so a node cannot cut them in a block.
        refuseUnless(shown.length === held.length, 'an event of the order is left out');
      });
    }
    const {
      value: order,
      height,
      verdict,
    } = await this.readState(`order/${orderId}`, {
      ...freshness,
      minHeight: Math.max(heights.at(-1) ?? 0, freshness.minHeight ?? 0),
    });
    refuseUnless(order !== null, 'the state holds no such order');
    return { order, height, events: events.map(({ event }) => event), verdict };
  }

  private async requireAge(certificate: FinalityCertificate, maxAge: number): Promise<void> {
    const { timestamp } = await this.headerOf(certificate);
    const age = Date.now() - Date.parse(timestamp);
    if (age <= maxAge) return;
    const message = `the state is ${age} ms old, ${maxAge} ms are asked for at most`;
    throw new StaleStateError(message, certificate.height);
  }

  private trusted(): Promise<Trust> {
    this.trust ??= this.establish().catch((error: unknown) => {
      this.trust = null;
      throw error;
    });
    return this.trust;
  }

  private async knowing(certificate: FinalityCertificate): Promise<Trust> {
    const trust = await this.trusted();
    const { sets } = trust;
    const received = certificate as FinalityCertificate | undefined;
    if (!received || !sets.isOfUnknownSet(received)) return trust;
    for (let after: number | null = sets.newest.fromHeight; after !== null;) {
      const path = '/v1/consensus/validator-set/changes';
      const page: DocumentOf<typeof path> = await this.client.read(path, { after });
      const known = sets.newest.fromHeight;
      checked(() => {
        for (const change of page.changes) {
          const fault = sets.follow(change);
          if (fault !== null) throw new VerificationError(fault);
        }
      });
      // Stop if the node sends nothing new.
      after = sets.newest.fromHeight > known ? page.next : null;
    }
    return trust;
  }

  private async establish(): Promise<Trust> {
    const { anchor, client } = this;
    if (anchor && 'genesisHash' in anchor) {
      const genesis = await client.read('/v1/genesis');
      return checked(() => {
        refuseUnless(
          genesisHash(genesis) === anchor.genesisHash,
          'the genesis of the node is not the trusted one',
        );
        const set = makeValidatorSet(genesis.chainId, genesis.epoch, genesis.validators);
        return { sets: new ValidatorSets(set), isAnchored: true };
      });
    }
    const set = await client.read('/v1/consensus/validator-set');
    return checked(() => {
      refuseUnless(
        !anchor || set.validatorSetHash === anchor.validatorSetHash,
        'the certificate fails: the validator set is not the trusted one',
      );
      return { sets: new ValidatorSets(set), isAnchored: anchor !== null };
    });
  }
}

function certified(certificate: FinalityCertificate, { sets, isAnchored }: Trust): Verdict {
  const verdict = sets.verify(certificate, isAnchored);
  if (!verdict.ok) throw new VerificationError(`the certificate fails: ${verdict.reason}`);
  return verdict.verdict;
}

function requireHeader(header: BlockHeader, certificate: FinalityCertificate): void {
  refuseUnless(
    headerFault(certificate, header) === null,
    'the header is not that of the certified block',
  );
}

function requireBlock({ header, certificate }: Block, height: number, trust: Trust): Verdict {
  refuseUnless(header.height === height, 'the block is of another height');
  requireHeader(header, certificate);
  return certified(certificate, trust);
}

const isOfOrder = ({ data }: Block['events'][number], orderId: string): boolean =>
  'orderId' in data && data.orderId === orderId;

function requireEvent(event: AuditEvent, block: Block): void {
  const { header, certificate, transitions, events } = block;
  const shown = {
    height: header.height,
    timestamp: header.timestamp,
    blockHash: certificate.blockHash,
    certificateHash: certificate.certificateHash,
    eventsRoot: header.eventsRoot,
  };
  refuseUnless(
    canonicalize(event.block) === canonicalize(shown) &&
      event.id === `${header.height}.${event.proof.index}`,
    'an event names a block or an index that is not its own',
  );
  const hash = eventHash(event);
  refuseUnless(
    event.eventHash === hash &&
      event.proof.treeSize === events.length &&
      verifyMerkleProof(hash, event.proof, header.eventsRoot),
    'the proof of an event does not lead to the eventsRoot of its block',
  );
  const hashes = transitions.map(({ transitionHash }) => transitionHash);
  refuseUnless(
    merkleRoot(hashes) === header.transitionsRoot &&
      hashes.length === header.transitionCount &&
      hashes[event.transitionIndex] === event.transitionHash,
    'an event names a transition that did not cause it',
  );
}

function transitionsOf({ header, transitions }: Block): string[] {
  const hashes = transitions.map(({ transitionHash }) => transitionHash);
  refuseUnless(
    merkleRoot(hashes) === header.transitionsRoot &&
      hashes.length === header.transitionCount &&
      transitions.every(({ envelope, transitionHash }) => hashValue(envelope) === transitionHash),
    'the transitions are not those of the block',
  );
  return hashes;
}

function eventsOf({ header, events }: Block): Block['events'] {
  refuseUnless(
    merkleRoot(events.map((event) => eventHash(event))) === header.eventsRoot &&
      events.every(({ id }, index) => id === `${header.height}.${index}`),
    'the events are not those of the block',
  );
  return events;
}

const isListOfObjects = (blocks: unknown): blocks is readonly Block[] =>
  Array.isArray(blocks) && blocks.every((block) => typeof block === 'object' && block !== null);

function refuseUnless(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new VerificationError(otherwise);
}

function checked<Result>(check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof VerificationError) throw error;
    throw new VerificationError('the answer is not of the shape it should have', { cause: error });
  }
}
