/**
 * The file format: one line of canonical JSON for genesis, one per block. A long stretch of empty blocks at
 * even intervals is one line, {"quiet": {"blocks", "milliseconds"}}.
 */
import {
  blockHash,
  canonicalize,
  eventHash,
  makeCertificate,
  merkleProof,
  merkleRoot,
  msToTimestamp,
  sha256Hex,
  timestampToMs,
  voteBytes,
  type BlockHeader,
  type ChainEvent,
  type FinalityCertificate,
  type Genesis,
  type JsonObject,
  type ValidatorSet,
  type ValidatorSetChange,
} from '@netd/protocol';
import { testKey } from '@netd/protocol/testing';
import { genesisState } from '../genesis.ts';
import type { MemoryLedger } from './memory-ledger.ts';

export interface GoldenBlock {
  header: BlockHeader;
  /** Null in quiet stretches. */
  certificate: FinalityCertificate | null;
  transitions: JsonObject[];
  events: ChainEvent[];
  /** SHA-256 of the canonical JSON by key, null for a deletion. */
  changes: Record<string, string | null>;
  /** The set that certifies the next block on, if it changes. */
  validatorSet?: ValidatorSet;
}

export interface GoldenChain {
  genesis: Genesis;
  /** Starts with block 0. */
  blocks: GoldenBlock[];
}

export function goldenChainOf(ledger: MemoryLedger): GoldenChain {
  const { genesis } = ledger;
  const empty = { transitions: [], events: [], changes: genesisState(genesis) };
  const blocks = [{ header: ledger.genesisHeader, ...empty }, ...ledger.blocks];
  const quiet = quietHeights(blocks);
  return {
    genesis,
    blocks: blocks.map(({ header, transitions, events, changes }) => ({
      header,
      ...drawnBy(ledger, header),
      certificate: quiet.has(header.height)
        ? null
        : certificateOf(ledger.validatorSetAt(header.height), header),
      transitions: transitions.map(({ text }) => JSON.parse(text) as JsonObject),
      events: [...events],
      changes: Object.fromEntries(
        [...changes]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, text]) => [key, text === null ? null : sha256Hex(text)]),
      ),
    })),
  };
}

function drawnBy(ledger: MemoryLedger, { height }: BlockHeader): Pick<GoldenBlock, 'validatorSet'> {
  const [before, after] = [ledger.validatorSetAt(height), ledger.validatorSetAt(height + 1)];
  return before.validatorSetHash === after.validatorSetHash ? {} : { validatorSet: after };
}

export function setChangeOf({
  header,
  certificate,
  events,
  validatorSet,
}: GoldenBlock): ValidatorSetChange {
  const index = events.findIndex(({ type }) => type === 'ValidatorSetChanged');
  const proof = merkleProof(events.map(eventHash), index);
  const event = events[index];
  if (!certificate || !validatorSet) throw new Error('a change has a certificate and a set');
  const fromHeight = header.height + 1;
  return { fromHeight, validatorSet, header, certificate, event, proof } as ValidatorSetChange;
}

export function goldenText({ genesis, blocks }: GoldenChain): string {
  const lines: object[] = [{ genesis }];
  for (const [height, block] of blocks.entries()) {
    const before = blocks[height - 1];
    const last = lines.at(-1);
    if (block.certificate !== null || !before) lines.push(block);
    else if (last && 'quiet' in last) (last as QuietLine).quiet.blocks++;
    else lines.push({ quiet: { blocks: 1, milliseconds: intervalOf(before, block) } });
  }
  return `${lines.map((line) => canonicalize(line)).join('\n')}\n`;
}

export function parseGolden(text: string): GoldenChain {
  const [first = '', ...rest] = text.trimEnd().split('\n');
  const blocks: GoldenBlock[] = [];
  for (const line of rest) {
    const read = JSON.parse(line) as GoldenBlock | QuietLine;
    if (!('quiet' in read)) {
      blocks.push(read);
      continue;
    }
    for (let left = read.quiet.blocks; left > 0; left--) {
      const before = blocks.at(-1);
      if (!before) throw new Error('a golden chain begins with its block 0');
      blocks.push(quietBlock(before.header, read.quiet.milliseconds));
    }
  }
  return { ...(JSON.parse(first) as { genesis: Genesis }), blocks };
}

interface QuietLine {
  quiet: { blocks: number; milliseconds: number };
}

/** The shortest stretch that becomes one line. */
const QUIET_FROM = 1_000;

type Quiet = Pick<GoldenBlock, 'header'>;

const intervalOf = (before: Quiet, { header }: Quiet): number =>
  timestampToMs(header.timestamp) - timestampToMs(before.header.timestamp);

function quietHeights(blocks: readonly Quiet[]): Set<number> {
  const quiet = new Set<number>();
  let stretch: number[] = [];
  let interval = 0;
  const end = (): void => {
    if (stretch.length >= QUIET_FROM) for (const height of stretch) quiet.add(height);
    stretch = [];
  };
  for (const [height, block] of blocks.entries()) {
    const before = blocks[height - 1];
    if (!before || block.header.transitionCount > 0) {
      end();
      continue;
    }
    if (intervalOf(before, block) !== interval) end();
    interval = intervalOf(before, block);
    stretch.push(height);
  }
  end();
  return quiet;
}

function quietBlock(before: BlockHeader, milliseconds: number): GoldenBlock {
  const nothing = merkleRoot([]);
  const header = {
    ...before,
    height: before.height + 1,
    timestamp: msToTimestamp(timestampToMs(before.timestamp) + milliseconds),
    previousBlockHash: blockHash(before),
    transitionsRoot: nothing,
    eventsRoot: nothing,
    transitionCount: 0,
  };
  return { header, certificate: null, transitions: [], events: [], changes: {} };
}

/** Describes the first difference; null if there is none. */
export function goldenDifference(golden: GoldenChain, actual: GoldenChain): string | null {
  const same = (a: unknown, b: unknown): boolean => canonicalize(a) === canonicalize(b);
  if (!same(golden.genesis, actual.genesis)) return 'the genesis differs';
  for (const [height, expected] of golden.blocks.entries()) {
    const found = actual.blocks[height];
    const at = `height ${height}`;
    if (!found) return `${at}: the block is missing`;
    for (const list of ['transitions', 'events'] as const) {
      const index = expected[list].findIndex((one, i) => !same(one, found[list][i] ?? null));
      if (index >= 0) return `${at}: ${list}[${index}] differs`;
      if (expected[list].length !== found[list].length) return `${at}: there are more ${list}`;
    }
    const keys = [...Object.keys(expected.changes), ...Object.keys(found.changes)].toSorted();
    const key = keys.find((one) => expected.changes[one] !== found.changes[one]);
    if (key !== undefined) return `${at}: the state under ${key} differs`;
    if (!same(expected.header, found.header)) return `${at}: the header differs`;
    if (!same(expected.certificate, found.certificate)) return `${at}: the certificate differs`;
  }
  if (actual.blocks.length > golden.blocks.length) return 'the chain is longer';
  return null;
}

/** Signed by all; Ed25519 is deterministic. */
function certificateOf(set: ValidatorSet, header: BlockHeader): FinalityCertificate {
  const { chainId, epoch, height, stateRoot, validatorSetHash } = header;
  const hash = blockHash(header);
  const statement = { chainId, epoch, height, blockHash: hash, stateRoot, validatorSetHash };
  const votes = set.validators.map(({ validatorId, votingPower }) => ({
    validatorId,
    votingPower,
    signature: testKey(
      validatorId === 'validator-1' ? 'validator' : `${validatorId} consensus`,
    ).sign(voteBytes(statement, validatorId)),
  }));
  return makeCertificate(statement, set, votes);
}
