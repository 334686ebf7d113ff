/**
 * The trusted side of every comparison: certified blocks, and the state rebuilt from a checkpoint. Every hash and
 * signature is computed here, from genesis on.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  base64ToBytes,
  blockHash,
  decodePairs,
  eventHash,
  genesisHash,
  hashValue,
  hashWithout,
  makeValidatorSet,
  merkleRoot,
  stateRoot,
  verifyCertificate,
  type BlockHeader,
  type ChainEvent,
  type FinalityCertificate,
  type Genesis,
  type JsonObject,
  type JsonValue,
  type Receipt,
  type StateCheckpoint,
  type ValidatorSet,
  type ValidatorSetChange,
  ValidatorSets,
} from '@netd/protocol';
import type { Http } from './http.ts';
import { textOf } from './expect.ts';

/** Reads of a document while the chain moves on. */
const ATTEMPTS = 5;

export class CertifiedState {
  readonly checkpoint: StateCheckpoint;
  private readonly records: ReadonlyMap<string, JsonValue>;

  constructor(checkpoint: StateCheckpoint, records: ReadonlyMap<string, JsonValue>) {
    this.checkpoint = checkpoint;
    this.records = records;
  }

  get(key: string): JsonValue | undefined {
    return this.records.get(key);
  }

  /** @throws AssertionError if the record is missing */
  record(key: string): JsonObject {
    const value = this.records.get(key);
    assert.ok(value !== undefined, `the certified state holds no ${key}`);
    return value as JsonObject;
  }

  /** Returns a counter; 0 if it is unset. */
  number(key: string): number {
    return Number(this.records.get(key) ?? 0);
  }

  counter(name: string): number {
    return this.number(`counter/${name}`);
  }

  collection(name: string): [id: string, record: JsonObject][] {
    const start = `${name}/`;
    return [...this.records]
      .filter(([key]) => key.startsWith(start))
      .map(([key, value]) => [key.slice(start.length), value as JsonObject]);
  }
}

/** Results by node: a verified block, genesis or checkpoint never changes. */
const checked = new WeakMap<Http, Map<string, Promise<unknown>>>();

function once<Thing>(http: Http, name: string, make: () => Promise<Thing>): Promise<Thing> {
  const known = checked.get(http) ?? new Map<string, Promise<unknown>>();
  checked.set(http, known);
  const made = known.get(name) ?? make();
  known.set(name, made);
  return made as Promise<Thing>;
}

/** Returns the state of the newest checkpoint, after checking its bytes, its root and its certificate. */
export async function certifiedState(http: Http): Promise<CertifiedState> {
  const checkpoint = (await http.document('/v1/state/checkpoint')) as unknown as StateCheckpoint;
  return once(http, `checkpoint ${hashValue(checkpoint)}`, () => restored(http, checkpoint));
}

async function restored(http: Http, checkpoint: StateCheckpoint): Promise<CertifiedState> {
  assert.equal(checkpoint.schema, 'NET-STATE-CHECKPOINT/1');
  assert.equal(checkpoint.encoding, 'net-kv-v1');
  assert.equal(checkpoint.checkpointHash, hashWithout(checkpoint, 'checkpointHash'));
  assert.equal(merkleRoot(checkpoint.chunkHashes), checkpoint.chunksRoot);
  assert.equal(checkpoint.chunkHashes.length, checkpoint.chunkCount);
  const parts: Uint8Array[] = [];
  for (const [index, hash] of checkpoint.chunkHashes.entries()) {
    const path = `/v1/state/chunks/${index}?checkpoint=${checkpoint.checkpointHash}`;
    const chunk = await http.document(path);
    const bytes = base64ToBytes(textOf(chunk['data']));
    assert.ok(bytes, `chunk ${index} is no base64`);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), hash, `chunk ${index}`);
    const { checkpointHash } = checkpoint;
    assert.deepEqual(
      [chunk['schema'], chunk['checkpointHash'], chunk['index'], chunk['hash']],
      ['NET-STATE-CHUNK/1', checkpointHash, index, hash],
    );
    parts.push(bytes);
  }
  const bytes = Buffer.concat(parts);
  assert.equal(bytes.length, checkpoint.byteLength);
  const pairs = [...decodePairs(bytes)].map(
    ({ key, value }) => [textOfBytes(key), textOfBytes(value)] as const,
  );
  assert.equal(stateRoot(pairs), checkpoint.stateRoot, 'the pairs have another root');
  const { certificate, blockHash: hash } = await certifiedBlock(http, checkpoint.height);
  assert.deepEqual(
    [checkpoint.blockHash, checkpoint.stateRoot, checkpoint.certificateHash],
    [hash, certificate.stateRoot, certificate.certificateHash],
    'the checkpoint is not of the certified block',
  );
  return new CertifiedState(
    checkpoint,
    new Map(pairs.map(([key, value]) => [key, JSON.parse(value) as JsonValue])),
  );
}

/** Reads a document, and the certified state at its block. */
export async function documentWithState(
  http: Http,
  path: string,
): Promise<{ document: JsonObject; state: CertifiedState }> {
  const { answer, state } = await withState(http, path, async (document) => {
    await expectSnapshot(http, document);
    return snapshotOf(document)['stateRoot'];
  });
  return { document: answer, state };
}

/** Reads a proof, and the certified state at its block, which may be newer than the document's. */
export async function proofWithState(
  http: Http,
  path: string,
): Promise<{ proof: JsonObject; state: CertifiedState }> {
  const { answer, state } = await withState(http, path, (proof) =>
    Promise.resolve((proof['certificate'] as JsonObject)['stateRoot']),
  );
  return { proof: answer, state };
}

/** Reads both again until their roots agree. */
async function withState(
  http: Http,
  path: string,
  rootOf: (answer: JsonObject) => Promise<JsonValue | undefined>,
): Promise<{ answer: JsonObject; state: CertifiedState }> {
  let roots: unknown[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const state = await certifiedState(http);
    const answer = await http.document(path);
    roots = [await rootOf(answer), state.checkpoint.stateRoot];
    if (roots[0] === roots[1]) return { answer, state };
  }
  throw new Error(
    `${path} names the state root ${textOf(roots[0])}, the checkpoint ${textOf(roots[1])}`,
  );
}

/** Returns genesis and its validator set. Trusting the genesis hash means trusting no later answer. */
export function genesisOf(
  http: Http,
): Promise<{ genesis: Genesis; hash: string; set: ValidatorSet }> {
  return once(http, 'genesis', async () => {
    const genesis = (await http.document('/v1/genesis')) as unknown as Genesis;
    const set = makeValidatorSet(genesis.chainId, genesis.epoch, genesis.validators);
    return { genesis, hash: genesisHash(genesis), set };
  });
}

export interface CertifiedBlock {
  header: BlockHeader;
  blockHash: string;
  certificate: FinalityCertificate;
  transitionHashes: string[];
  events: (ChainEvent & { id: string })[];
}

/** Returns a block after checking its lists against its roots, its header against its hash, and its certificate. */
export function certifiedBlock(http: Http, height: number): Promise<CertifiedBlock> {
  return once(http, `block ${height}`, () => readBlock(http, height));
}

async function readBlock(http: Http, height: number): Promise<CertifiedBlock> {
  const detail = await http.document(`/v1/blocks/${height}`);
  const header = detail['header'] as unknown as BlockHeader;
  const certificate = detail['certificate'] as unknown as FinalityCertificate;
  const transitions = detail['transitions'] as { transitionHash: string; envelope: JsonObject }[];
  const events = detail['events'] as unknown as CertifiedBlock['events'];
  const hashes = transitions.map(({ envelope }) => hashValue(envelope));
  assert.deepEqual(
    transitions.map(({ transitionHash }) => transitionHash),
    hashes,
    `a transition of height ${height} has another hash`,
  );
  assert.equal(header.height, height);
  assert.equal(header.transitionCount, hashes.length);
  assert.equal(header.transitionsRoot, merkleRoot(hashes), `the transitions of height ${height}`);
  assert.equal(header.eventsRoot, merkleRoot(events.map(eventHash)), `the events of ${height}`);
  const hash = blockHash(header);
  assert.equal(detail['blockHash'], hash, `the header of height ${height} has another hash`);
  await expectCertified(http, certificate);
  const { blockHash: named, stateRoot: root } = certificate;
  assert.deepEqual([certificate.height, named, root], [height, hash, header.stateRoot]);
  return { header, blockHash: hash, certificate, transitionHashes: hashes, events };
}

/** Rejects a receipt unless the certified block has this transition at this index, with these events. */
export async function expectReceipt(http: Http, receipt: Receipt): Promise<void> {
  const { header, certificate, transitionHashes, events } = await certifiedBlock(
    http,
    receipt.height,
  );
  const { transitionHash, index } = receipt;
  assert.deepEqual(
    {
      blockHash: receipt.blockHash,
      stateRoot: receipt.stateRoot,
      certificateHash: receipt.certificateHash,
    },
    {
      blockHash: certificate.blockHash,
      stateRoot: header.stateRoot,
      certificateHash: certificate.certificateHash,
    },
  );
  assert.equal(transitionHashes[index], transitionHash, 'the block holds another transition there');
  const caused = events.filter(({ transitionIndex }) => transitionIndex === index);
  assert.deepEqual(
    receipt.events,
    caused.map(({ id, type, data }) => ({ id, type, data })),
  );
}

/** Rejects a document unless the block that it names is certified. */
export async function expectSnapshot(http: Http, document: JsonObject): Promise<void> {
  const snapshot = snapshotOf(document);
  const { header, ...block } = await certifiedBlock(http, Number(snapshot['height']));
  assert.equal(document['height'], header.height, 'a document of another height than its snapshot');
  assert.equal(document['chainId'], header.chainId);
  assert.deepEqual(
    [snapshot['blockHash'], snapshot['stateRoot'], snapshot['certificateHash']],
    [block.blockHash, header.stateRoot, block.certificate.certificateHash],
    'the snapshot is not that of the certified block',
  );
}

/** The known validator sets: genesis, then each change certified by the set before it. */
const setsOf = (http: Http): Promise<ValidatorSets> =>
  once(http, 'validator sets', async () => new ValidatorSets((await genesisOf(http)).set));

/** Returns the validator set of a certificate's height, derived from proven changes alone. */
export async function setOf(
  http: Http,
  certificate: Pick<FinalityCertificate, 'height' | 'validatorSetHash'>,
): Promise<ValidatorSet> {
  const sets = await setsOf(http);
  if (sets.isOfUnknownSet(certificate)) await followChanges(http, sets);
  return sets.at(certificate.height);
}

/** Follows every announced change, each of which must follow from the known sets. */
export async function followChanges(http: Http, sets: ValidatorSets): Promise<void> {
  for (let after: number | null = sets.newest.fromHeight; after !== null;) {
    const page = await http.document(`/v1/consensus/validator-set/changes?after=${after}`);
    const { changes, next } = page as unknown as ValidatorSetChangesPage;
    for (const change of changes) assert.equal(sets.follow(change), null);
    assert.ok(next === null || next > after, 'the next page begins at the same place as this one');
    after = next;
  }
}

interface ValidatorSetChangesPage {
  changes: ValidatorSetChange[];
  next: number | null;
}

/** Rejects a certificate unless its votes verify and reach the quorum of its height. */
export async function expectCertified(http: Http, certificate: FinalityCertificate): Promise<void> {
  const set = await setOf(http, certificate);
  const verdict = verifyCertificate(certificate, set, set.validatorSetHash);
  assert.ok(verdict.ok, `the certificate does not verify: ${JSON.stringify(verdict)}`);
}

const snapshotOf = (document: JsonObject): JsonObject =>
  (document['snapshot'] ?? document) as JsonObject;

const textOfBytes = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
