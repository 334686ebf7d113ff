/** How a golden chain stands in its file: one line of canonical JSON for genesis, then one for each block. */
import {
  blockHash,
  canonicalize,
  makeCertificate,
  sha256Hex,
  voteBytes,
  type BlockHeader,
  type ChainEvent,
  type FinalityCertificate,
  type Genesis,
  type JsonObject,
} from '@netd/protocol';
import { testKey } from '@netd/protocol/testing';
import { genesisState, genesisValidatorSet } from '../genesis.ts';
import type { MemoryLedger } from './memory-ledger.ts';

export interface GoldenBlock {
  header: BlockHeader;
  certificate: FinalityCertificate;
  transitions: JsonObject[];
  events: ChainEvent[];
  /** The SHA-256 of the canonical JSON under each changed key, null for a deletion. */
  changes: Record<string, string | null>;
}

export interface GoldenChain {
  genesis: Genesis;
  /** From block 0 on. */
  blocks: GoldenBlock[];
}

export function goldenChainOf(ledger: MemoryLedger): GoldenChain {
  const { genesis } = ledger;
  const empty = { transitions: [], events: [], changes: genesisState(genesis) };
  const blocks = [{ header: ledger.genesisHeader, ...empty }, ...ledger.blocks];
  return {
    genesis,
    blocks: blocks.map(({ header, transitions, events, changes }) => ({
      header,
      certificate: certificateOf(genesis, header),
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

export function goldenText({ genesis, blocks }: GoldenChain): string {
  return `${[{ genesis }, ...blocks].map((line) => canonicalize(line)).join('\n')}\n`;
}

export function parseGolden(text: string): GoldenChain {
  const [first = '', ...rest] = text.trimEnd().split('\n');
  return {
    ...(JSON.parse(first) as { genesis: Genesis }),
    blocks: rest.map((line) => JSON.parse(line) as GoldenBlock),
  };
}

/** The first height and place at which a chain is another than the golden one, in a sentence; null where none is. */
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

/** Of the only validator there is; Ed25519 signs the same bytes alike. */
function certificateOf(genesis: Genesis, header: BlockHeader): FinalityCertificate {
  const set = genesisValidatorSet(genesis);
  const { chainId, epoch, height, stateRoot, validatorSetHash } = header;
  const hash = blockHash(header);
  const statement = { chainId, epoch, height, blockHash: hash, stateRoot, validatorSetHash };
  const votes = set.validators.map(({ validatorId, votingPower }) => ({
    validatorId,
    votingPower,
    signature: testKey('validator').sign(voteBytes(statement, validatorId)),
  }));
  return makeCertificate(statement, set, votes);
}
