/** Replays and regenerates the golden chains, and checks their coverage. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { blockHash, envelopeKind, timestampToMs, type SubmittedKind } from '@netd/protocol';
import { ACTIONS } from './actions/registry.ts';
import { COLLECTIONS, parseStateKey } from './collections.ts';
import { COUNTERS } from './counter-names.ts';
import { CUMULATIVE_TOTAL_NAMES } from './cumulative-total-names.ts';
import { EVENTS, isEventType } from './events.ts';
import type { WorkOrderRecord } from './actions/work/records.ts';
import type { RulesSpan } from './rules.ts';
import { isObservationKind, type Observation } from './observations.ts';
import { LISTS, SORTED_INDEXES } from './lists.ts';
import { SYSTEM_TRANSITIONS, type SystemKind } from './system/registry.ts';
import { CROSSING_ORDERS } from './testing/crossing-golden-play.ts';
import {
  goldenChainOf,
  goldenDifference,
  goldenText,
  parseGolden,
  type GoldenChain,
} from './testing/golden-chain.ts';
import { GOLDEN_PLAYS } from './testing/golden-play.ts';
import { MemoryLedger } from './testing/memory-ledger.ts';
import { submissionOf } from './testing/test-chain.ts';
import { TRANSITIONS } from './transitions/registry.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

/** Uses only the stored envelopes. */
function replay({ genesis, blocks }: GoldenChain): GoldenChain {
  const ledger = new MemoryLedger(genesis);
  for (const { header, transitions } of blocks.slice(1)) {
    const { height, timestamp } = header;
    const submissions = transitions.flatMap((envelope) => {
      const kind = envelopeKind(envelope);
      return kind === null || kind === 'system' ? [] : [submissionOf(kind, envelope)];
    });
    const previousBlockHash = ledger.tip.blockHash;
    const time = timestampToMs(timestamp);
    const seen = transitions.flatMap(({ kind, subject }): Observation[] =>
      isObservationKind(kind) && typeof subject === 'string' ? [{ kind, subject }] : [],
    );
    ledger.execute(submissions, { height, timestamp, time, previousBlockHash }, seen);
  }
  return goldenChainOf(ledger);
}

type Name = keyof typeof GOLDEN_PLAYS;
const NAMES = Object.keys(GOLDEN_PLAYS) as Name[];

const ledgers = new Map<Name, MemoryLedger>();
/** Cached across tests. */
function played(name: Name): MemoryLedger {
  const ledger = ledgers.get(name) ?? GOLDEN_PLAYS[name]().ledger;
  ledgers.set(name, ledger);
  return ledger;
}

for (const name of NAMES) {
  describe(`the golden chain "${name}"`, () => {
    let golden: GoldenChain;
    before(() => {
      golden = parseGolden(read(`vectors/golden-chain/${name}.jsonl`));
    });
    test('is reproduced by its envelopes, block by block', () => {
      assert.equal(goldenDifference(golden, replay(golden)), null);
    });
    test('is reproduced by its play', () => {
      const again = goldenChainOf(played(name));
      assert.equal(goldenDifference(golden, again), null);
      assert.equal(read(`vectors/golden-chain/${name}.jsonl`), goldenText(again));
    });
    test('changes only together with an entry in CHANGES.md', () => {
      const hash = blockHash(golden.blocks.at(-1)!.header);
      assert.ok(
        read('vectors/golden-chain/CHANGES.md').includes(hash),
        `the golden chain "${name}" ends with block ${hash}: add an entry to vectors/golden-chain/CHANGES.md that says what changed its bytes and names the block`,
      );
    });
  });
}

describe('the golden chains together', () => {
  const chains = NAMES.map((name) => parseGolden(read(`vectors/golden-chain/${name}.jsonl`)));
  const blocks = chains.flatMap((chain) => chain.blocks);
  const envelopes = blocks.flatMap(({ transitions }) => transitions);
  const missing = (all: Iterable<string>, met: Iterable<unknown>): string[] => {
    const seen = new Set(met);
    return [...all].filter((one) => !seen.has(one));
  };
  test('hold every kind of transition, every action and every system transition', () => {
    const kinds = envelopes.map((envelope) => envelopeKind(envelope) as SubmittedKind);
    assert.deepEqual(missing(Object.keys(TRANSITIONS), kinds), []);
    const actions = envelopes.map((envelope) => envelope['action']);
    assert.deepEqual(missing(ACTIONS.keys(), actions), []);
    const system = envelopes.filter((envelope) => envelopeKind(envelope) === 'system');
    const systemKinds = system.map((envelope) => envelope['kind']);
    assert.deepEqual(missing(Object.keys(SYSTEM_TRANSITIONS), systemKinds), []);
  });
  test('have every transition before and after the crossing to version 2', () => {
    const crossings = chains.flatMap((chain) => {
      const first = chain.blocks.findIndex(({ events }) =>
        events.some(({ type }) => type === 'RulesActivated'),
      );
      return first < 0
        ? []
        : [{ before: chain.blocks.slice(0, first), after: chain.blocks.slice(first) }];
    });
    const all = [
      ...Object.keys(TRANSITIONS),
      ...ACTIONS.keys(),
      ...Object.keys(SYSTEM_TRANSITIONS),
    ];
    const lacks = (side: 'before' | 'after'): string[] => {
      const onSide = crossings.flatMap((crossing) => crossing[side]);
      const met = onSide.flatMap(({ transitions }) =>
        transitions.flatMap((one) => [envelopeKind(one), one['action'], one['kind']]),
      );
      return missing(all, met);
    };
    // Without `since`, add what is missing to the scenes of golden-play.ts, which both casts play.
    const older = ({ since = 1 }: RulesSpan): boolean => since === 1;
    const isOlder = (name: string): boolean =>
      older(ACTIONS.get(name) ?? {}) && older(SYSTEM_TRANSITIONS[name as SystemKind] ?? {});
    assert.deepEqual(lacks('before').filter(isOlder), ['sealMainnetGenesis', 'activateRules']);
    assert.deepEqual(lacks('after'), []);
  });
  test('cross with an order in every phase, and each ends as version 1 says', () => {
    const chain = played('crossing');
    const activated = chain.record('rules', 'active')?.fromHeight ?? 0;
    const orders = Object.entries(CROSSING_ORDERS).map(([name, expected]) => {
      const key = `order/crossing-${name}`;
      const texts = chain.blocks.flatMap(({ header, changes }) =>
        header.height < activated ? (changes.get(key) ?? []) : [],
      );
      const then = JSON.parse(texts.at(-1) ?? '') as WorkOrderRecord;
      const ended = chain.record('order', `crossing-${name}`);
      assert.deepEqual(
        { phase: then.phase, reason: ended?.reason, rulesVersion: ended?.rulesVersion },
        { ...expected, rulesVersion: undefined },
        name,
      );
      assert.equal(ended?.phase, 'ENDED', name);
      return then.phase;
    });
    // Later versions have more.
    const phases = ['OPEN', 'ACCEPTED', 'DRAWING', 'REVIEW', 'VERIFIED', 'DISPUTED', 'ENDED'];
    assert.deepEqual(missing(phases, orders), []);
    const later = chain.record('order', 'b-paid-1');
    assert.equal(later?.rulesVersion, 2);
  });
  test('write every collection, counter and sum of money', () => {
    const keys = new Set(blocks.flatMap(({ changes }) => Object.keys(changes)));
    const collections = [...keys].map((key) => parseStateKey(key)?.collection);
    assert.deepEqual(missing(Object.keys(COLLECTIONS), collections), []);
    const counters = Object.keys(COUNTERS).map((name) => `counter/${name}`);
    assert.deepEqual(missing(counters, keys), []);
    const totals = CUMULATIVE_TOTAL_NAMES.map((name) => `cumulative-total/${name}`);
    assert.deepEqual(missing(totals, keys), []);
  });
  test('stand in every list and sorted index at some time', () => {
    const lists = new Set<string>();
    for (const name of NAMES) {
      for (const [key, text] of played(name).blocks.flatMap(({ changes }) => [...changes])) {
        const collection = parseStateKey(key)?.collection;
        if (!collection || text === null) continue;
        const { lists: listsOf, sortedIndexes } = COLLECTIONS[collection] as {
          lists?: (record: unknown) => { list: string }[];
          sortedIndexes?: (record: unknown) => { list: string }[];
        };
        const record: unknown = JSON.parse(text);
        for (const { list } of [...(listsOf?.(record) ?? []), ...(sortedIndexes?.(record) ?? [])]) {
          lists.add(list);
        }
      }
    }
    const all = [...Object.values(LISTS), ...Object.values(SORTED_INDEXES)].flat();
    assert.deepEqual(missing(all, lists), []);
  });
  test('decide everything that can be decided in each way', () => {
    const chosen = new Set<string>();
    const note = (action: string, value: unknown, path = ''): void => {
      if (Array.isArray(value)) for (const one of value) note(action, one, path);
      else if (typeof value === 'object' && value !== null) {
        for (const [name, member] of Object.entries(value)) note(action, member, `${path}/${name}`);
      } else chosen.add(`${action}${path}=${String(value)}`);
    };
    for (const { action, payload } of envelopes) {
      if (typeof action === 'string') note(action, payload);
    }
    const choices = [...ACTIONS.values()].flatMap(({ name, payload }) =>
      choicesOf(payload)
        .filter((choice) => DECISIONS.test(choice))
        .map((choice) => `${name}${choice}`),
    );
    assert.ok(choices.length > 20, choices.join(', '));
    assert.deepEqual(missing(choices, chosen), []);
  });
  test('contain every event with every member that names an actor', () => {
    const events = blocks.flatMap((block) => block.events);
    assert.deepEqual(
      missing(
        Object.keys(EVENTS),
        events.map(({ type }) => type),
      ),
      [],
    );
    for (const { type, data } of events) {
      assert.ok(isEventType(type), type);
      for (const member of EVENTS[type].concerns) {
        const [name = ''] = member.split('.');
        assert.ok(Object.hasOwn(data, name), `${type} has no ${name}`);
      }
    }
  });
});

/** Payload members that decide something. */
const DECISIONS = /^\/(outcome|response|result|severity|status|verdict|vote)=/;

interface Schema {
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** Returns `/path/of/member=value` for each choice. */
function choicesOf(schema: Schema, path = ''): string[] {
  const { enum: values = [], properties = {}, items, anyOf = [] } = schema;
  const own = 'const' in schema ? [schema.const] : values;
  return [
    ...own.map((value) => `${path}=${String(value)}`),
    ...Object.entries(properties).flatMap(([name, member]) => choicesOf(member, `${path}/${name}`)),
    ...(items ? choicesOf(items, path) : []),
    ...anyOf.flatMap((member) => choicesOf(member, path)),
  ];
}

test('a difference is reported by the first height and place that differ', () => {
  const golden = parseGolden(read('vectors/golden-chain/open.jsonl'));
  const spoilt = (spoil: (chain: GoldenChain) => void): string | null => {
    const copy = structuredClone(golden);
    spoil(copy);
    return goldenDifference(golden, copy);
  };
  assert.equal(
    spoilt(() => {}),
    null,
  );
  const key = 'authority/alice';
  assert.equal(
    spoilt(({ blocks }) => (blocks[1]!.changes[key] = '0'.repeat(64))),
    `height 1: the state under ${key} differs`,
  );
  assert.equal(
    spoilt(({ blocks }) => (blocks[2]!.transitions[0]!['nonce'] = 'x')),
    'height 2: transitions[0] differs',
  );
  assert.equal(
    spoilt(({ blocks }) => blocks.pop()),
    'height 5: the block is missing',
  );
});
