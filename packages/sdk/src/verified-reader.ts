/** Reads that the node must prove: what comes back was certified, whoever answered. */
import {
  blockHash,
  canonicalize,
  eventHash,
  genesisHash,
  hashValue,
  makeValidatorSet,
  merkleRoot,
  verifyCertificate,
  verifyMerkleProof,
  verifyStateProof,
  type BlockHeader,
  type FinalityCertificate,
  type JsonObject,
  type Receipt,
  type ValidatorSet,
} from '@netd/protocol';
import type { NetClient } from './client.ts';
import type { DocumentOf } from './reads.ts';

/** What the caller knows of the chain from a source other than the node. */
export type Anchor = { genesisHash: string } | { validatorSetHash: string };

/**
 * `trusted`: certified by the validators that the anchor names. `self-consistent`: nothing contradicts itself, but the
 * node may have made up the whole chain.
 */
export type Verdict = 'trusted' | 'self-consistent';

/** What the node answered does not follow from what was certified. Do not use any of it. */
export class VerificationError extends Error {
  override name = 'VerificationError';
}

export interface VerifiedState {
  /** The JSON value of the key, null where the state does not hold it. */
  value: unknown;
  present: boolean;
  /** Height whose state this is. */
  height: number;
  verdict: Verdict;
}

export interface VerifiedTransition {
  envelope: JsonObject;
  /** With all events that the transition caused. */
  receipt: Receipt;
  verdict: Verdict;
}

export interface VerifiedAudit {
  /** The record of the order at `height`. */
  order: unknown;
  height: number;
  /** Oldest first. */
  events: AuditEvent[];
  verdict: Verdict;
}

export type AuditEvent =
  DocumentOf<'/v1/work-orders/{orderId}/audit'>['timeline']['events'][number];

type Block = DocumentOf<'/v1/blocks/{height}'>;
type Trust = { set: ValidatorSet; setHash: string | undefined };

export class VerifiedReader {
  private readonly client: NetClient;
  private readonly anchor: Anchor | null;
  private trust: Promise<Trust> | null = null;

  /** @param anchor without it, verdicts say `self-consistent` at best */
  constructor(client: NetClient, anchor: Anchor | null = null) {
    this.client = client;
    this.anchor = anchor;
  }

  /**
   * The value of a state key, or that there is none.
   * @param key `<collection>/<id>`, for example `account/alice`
   * @throws VerificationError, NetError
   */
  async readState(key: string): Promise<VerifiedState> {
    const trust = await this.trusted();
    const proof = await this.client.read('/v1/state/proof', { key });
    return checked(() => {
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
  }

  /**
   * A committed envelope, and the receipt with every event that it caused.
   * @throws VerificationError, NetError
   */
  async readTransition(transitionHash: string): Promise<VerifiedTransition> {
    const trust = await this.trusted();
    const path = '/v1/transitions/{transitionHash}';
    const document = await this.client.read(path, { transitionHash });
    const at = checked(() => document.receipt.height);
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
      return { envelope, receipt: proven, verdict };
    });
  }

  /**
   * A work order as the state has it, and every event of its audit, each proven to be in its block. That no event is
   * left out is not proven, and an audit shows a hundred at most.
   * @throws VerificationError, NetError
   */
  async readWorkAudit(orderId: string): Promise<VerifiedAudit> {
    const trust = await this.trusted();
    const audit = await this.client.read('/v1/work-orders/{orderId}/audit', { orderId });
    const events = checked(() => {
      const { reportHash, ...rest } = audit;
      refuseUnless(hashValue(rest) === reportHash, 'reportHash is not the hash of the audit');
      const { events: timeline } = audit.timeline;
      const placed = timeline.map((event) => ({ event, height: event.block.height }));
      refuseUnless(placed.length > 0, 'the audit has no event, not even the first');
      return placed;
    });
    let block: Block | undefined;
    let last: readonly [number, number] = [-1, -1];
    for (const { event, height } of events) {
      if (block?.header.height !== height) {
        block = await this.client.read('/v1/blocks/{height}', { height });
      }
      const own = block;
      checked(() => {
        const { index } = event.proof;
        const rises = height > last[0] || (height === last[0] && index > last[1]);
        refuseUnless(rises, 'the events are not in order, or one stands twice');
        refuseUnless(event.data['orderId'] === orderId, 'an event is of another order');
        requireEvent(event, own, trust);
        last = [height, index];
      });
    }
    const { value: order, height, verdict } = await this.readState(`order/${orderId}`);
    refuseUnless(order !== null, 'the state holds no such order');
    return { order, height, events: events.map(({ event }) => event), verdict };
  }

  /** The validator set to check certificates against, fetched once; again where that failed. */
  private trusted(): Promise<Trust> {
    this.trust ??= this.establish().catch((error: unknown) => {
      this.trust = null;
      throw error;
    });
    return this.trust;
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
        return { set, setHash: set.validatorSetHash };
      });
    }
    const set = await client.read('/v1/consensus/validator-set');
    return { set, setHash: anchor?.validatorSetHash };
  }
}

/** @throws VerificationError where the certificate does not hold */
function certified(certificate: FinalityCertificate, { set, setHash }: Trust): Verdict {
  const verdict = verifyCertificate(certificate, set, setHash);
  if (!verdict.ok) throw new VerificationError(`the certificate fails: ${verdict.reason}`);
  return verdict.verdict;
}

/** @throws VerificationError where the header is not of the block that the certificate is for */
function requireHeader(header: BlockHeader, certificate: FinalityCertificate): void {
  refuseUnless(
    blockHash(header) === certificate.blockHash &&
      header.height === certificate.height &&
      header.stateRoot === certificate.stateRoot,
    'the header is not that of the certified block',
  );
}

/** @throws VerificationError where the block does not hold the event as the audit shows it */
function requireEvent(event: AuditEvent, block: Block, trust: Trust): void {
  const { header, certificate, transitions } = block;
  requireHeader(header, certificate);
  certified(certificate, trust);
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
    event.eventHash === hash && verifyMerkleProof(hash, event.proof, header.eventsRoot),
    'the proof of an event does not lead to the eventsRoot of its block',
  );
  const hashes = transitions.map(({ transitionHash }) => transitionHash);
  refuseUnless(
    merkleRoot(hashes) === header.transitionsRoot &&
      hashes[event.transitionIndex] === event.transitionHash,
    'an event names a transition that did not cause it',
  );
}

/** All events of a block, which its header must commit to. */
function eventsOf({ header, events }: Block): Block['events'] {
  refuseUnless(
    merkleRoot(events.map((event) => eventHash(event))) === header.eventsRoot &&
      events.every(({ id }, index) => id === `${header.height}.${index}`),
    'the events are not those of the block',
  );
  return events;
}

function refuseUnless(holds: boolean, otherwise: string): void {
  if (!holds) throw new VerificationError(otherwise);
}

/** Runs checks over an answer that may be of any shape: what they stumble over proves nothing either. */
function checked<Result>(check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof VerificationError) throw error;
    throw new VerificationError('the answer is not of the shape it should have', { cause: error });
  }
}
