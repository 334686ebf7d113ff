import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashValue } from '@netd/protocol';
import { targetsOf } from '../app/search-targets.ts';
import { fits } from '../words/fits.ts';
import {
  agreement,
  balanceAgreement,
  blockDifferences,
  differences,
  growth,
  placeEvents,
  recordDifferences,
} from './agreement.ts';
import { meet, needsConsent, pin, readAnchor, stateOf } from './anchor-rules.ts';
import { addressOf } from './named-origins.ts';
import { orderAgreement } from './order-agreement.ts';
import { pastedOf } from './pasted.ts';
import { guardianDifferences, standingOfRecord } from './records.ts';
import { wellFormed } from './well-formed.ts';

const HASH = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);

describe('the anchor', () => {
  test('is the first answer of the node, and a later one does not change it', () => {
    const first = meet(null, HASH, 7);
    assert.deepEqual(first, { genesisHash: HASH, source: 'first-seen', since: 7 });
    assert.equal(meet(first, OTHER, 8), first);
    assert.equal(stateOf(first, HASH), 'first-seen');
    assert.equal(stateOf(first, OTHER), 'other');
    assert.equal(stateOf(pin(` ${HASH.toUpperCase()}\n`, 8), HASH), 'pinned');
  });

  test('that was pinned is replaced by another one, or unpinned, only when the reader agrees', () => {
    const first = meet(null, HASH, 7);
    const pinned = pin(HASH, 8);
    assert.equal(needsConsent(null, first), false);
    assert.equal(needsConsent(first, pin(OTHER, 8)), false);
    assert.equal(needsConsent(pinned, pin(HASH, 9)), false);
    assert.equal(needsConsent(pinned, first), true);
    assert.equal(needsConsent(pinned, pin(OTHER, 9)), true);
  });

  test('that was stored by something else is none', () => {
    const good = { genesisHash: HASH, source: 'pinned', since: 1 };
    assert.deepEqual(readAnchor(good), good);
    for (const stored of [
      null,
      'x',
      {},
      { ...good, genesisHash: 'x' },
      { ...good, source: 'me' },
    ]) {
      assert.equal(readAnchor(stored), null);
    }
    assert.throws(() => pin('abc', 1), /64 digits/);
  });
});

test('what is shown and what is proven differ in what they differ in', () => {
  const proven = { title: 'a', requirements: ['x'], extra: 1 };
  assert.deepEqual(
    differences({ title: 'a', requirements: ['x'] }, proven, ['title', 'requirements']),
    [],
  );
  assert.deepEqual(
    differences({ title: 'b', requirements: [] }, proven, ['title', 'requirements']),
    ['title', 'requirements'],
  );
  assert.deepEqual(differences({ reason: null }, {}, ['reason']), []);
  assert.deepEqual(differences({ title: 'a' }, null, ['title']), ['title']);
});

test('what no canonical JSON holds is never what was proven', () => {
  for (const odd of ['{"a":1e400}', '{"a":"\\ud800"}']) {
    assert.deepEqual(differences(JSON.parse(odd), { a: null }, ['a']), ['a']);
  }
});

test('a page is green only if all of it was compared, even if some of it changed since the proof', () => {
  const proven = { standing: 'proven', height: 7, against: meet(null, HASH, 7) } as const;
  const now = (never: string[], changing: string[], isSame: boolean) => {
    const { standing, contradicts } = agreement(proven, never, changing, isSame);
    return [standing.standing, contradicts];
  };
  assert.deepEqual(now([], [], false), ['proven', []]);
  assert.deepEqual(now([], ['balance'], false), ['proving', []]);
  assert.deepEqual(now([], ['balance'], true), ['proven', ['balance']]);
  assert.deepEqual(now(['title'], ['phase'], false), ['proven', ['title']]);
  assert.deepEqual(
    [growth([1], [1]), growth([1], [1, 2]), growth([1, 2], [1]), growth([2], [1, 2])],
    ['same', 'longer', 'longer', 'differ'],
  );
});

const PROVEN = { standing: 'proven', height: 7, against: meet(null, HASH, 7) } as const;

describe('a record that is shown', () => {
  const record = {
    tokenId: 't',
    supply: 5,
    mintAuthority: 'ada',
    ends: { height: 9, time: 90_000 },
    drawn: { height: 9, time: 0 },
  };
  const shown = {
    ...record,
    ends: { height: 9, time: '1970-01-01T00:01:30.000Z' },
    drawn: null,
    links: {},
    times: {},
    kind: 'NFT',
  };
  const compare = (change: object) =>
    recordDifferences({ ...shown, ...change }, record, { fixed: ['tokenId'], derived: ['kind'] });

  test('is compared whole, with its deadlines as documents show them', () => {
    assert.deepEqual(compare({}), { never: [], now: [] });
    assert.deepEqual(compare({ kind: 'FUNGIBLE', links: 1 }), { never: [], now: [] });
  });

  test('may lie in no member, whether one left out or one invented', () => {
    assert.deepEqual(compare({ tokenId: 'u' }), { never: ['tokenId'], now: [] });
    const late = { height: 9, time: '1970-01-01T00:01:31.000Z' };
    for (const lie of [{ mintAuthority: null }, { supply: 6 }, { ends: late }, { burned: true }]) {
      assert.deepEqual(compare(lie), { never: [], now: Object.keys(lie) });
    }
    const { supply: _, ...less } = shown;
    assert.deepEqual(recordDifferences(less, record, { fixed: [], derived: ['kind'] }).now, [
      'supply',
    ]);
    const none = recordDifferences(shown, null, { fixed: ['tokenId'], derived: ['kind'] });
    assert.deepEqual(none.never, ['tokenId']);
  });
});

test('a false fixed member is a contradiction at any height, another one only at the height of its proof', () => {
  const proven = { value: { tokenId: 't', supply: 5 }, height: 7 };
  const contradicts = (height: number): readonly string[] => {
    const shown = { shown: { tokenId: 'u', supply: 6 }, height };
    return standingOfRecord('token', shown, { standing: PROVEN, proven }).contradicts;
  };
  assert.deepEqual(contradicts(7), ['tokenId', 'supply']);
  assert.deepEqual(contradicts(8), ['tokenId']);
});

test('guardians are those of the proven recovery, or none', () => {
  const compare = (shown: Parameters<typeof guardianDifferences>[0], value: unknown): string[] =>
    guardianDifferences(shown, { value });
  const shown = { guardians: ['ada', 'bea'], threshold: 2 };
  const record = { guardians: { agentIds: ['ada', 'bea'], threshold: 2 }, cancellations: 0 };
  assert.deepEqual([compare(shown, record), compare(null, null)], [[], []]);
  for (const lie of [null, { ...shown, threshold: 1 }, { ...shown, guardians: ['mallory'] }])
    assert.deepEqual(compare(lie, record), ['guardians']);
  assert.deepEqual(compare(shown, null), ['guardians']);
});

test('an order is green only if its terms are the proven ones, each of them', () => {
  const record = { orderId: 'o', jury: 'none', assignmentMode: 'TARGETED', phase: 'OPEN' };
  const events: never[] = [];
  const proven = { order: record, height: 7, events, verdict: 'trusted' } as const;
  const contradicts = (change: object): readonly string[] =>
    orderAgreement(
      {
        order: { ...record, ...change },
        timeline: { events, truncated: false },
        height: 7,
      } as unknown as Parameters<typeof orderAgreement>[0],
      { standing: PROVEN, proven },
    ).contradicts.filter((name) => name !== 'events');
  assert.deepEqual(contradicts({}), []);
  for (const lie of [
    { jury: undefined },
    { assignmentMode: 'OPEN_MARKET' },
    { acceptanceHash: HASH },
    { deadline: { height: 9, time: '1970-01-01T00:01:31.000Z' } },
  ]) {
    assert.deepEqual(contradicts(lie), Object.keys(lie));
  }
});

test('a balance is the proven one if the node gives none', () => {
  const proven = { value: { balance: 50 }, height: 7 };
  const shown = (told: { balance: number; height: number } | undefined, known = true) => {
    const proof = { standing: PROVEN, proven: known ? proven : undefined };
    const { balance, contradicts, standing } = balanceAgreement(told, proof);
    return [balance, standing.standing, contradicts];
  };
  assert.deepEqual(shown({ balance: 50, height: 6 }), [50, 'proven', []]);
  assert.deepEqual(shown(undefined), [50, 'proven', []]);
  assert.deepEqual(shown({ balance: 90, height: 7 }), [90, 'proven', ['balance']]);
  assert.deepEqual(shown({ balance: 90, height: 8 }), [90, 'proving', []]);
  assert.deepEqual(shown(undefined, false), [null, 'proven', []]);
});

test('an event is proven only in the block at which it is listed', () => {
  const event = { id: '3.0', height: 3, type: 'Transferred', data: { amount: 1 } };
  const blocks = new Map([
    [3, { events: [{ ...event, transitionIndex: 0 }] }],
    [4, { events: [] }],
  ]) as unknown as Parameters<typeof placeEvents>[1];
  const placed = (change: object) => {
    const { proven, contradicted } = placeEvents([{ ...event, ...change }], blocks);
    return [proven.length, contradicted.length];
  };
  assert.deepEqual(placed({}), [1, 0]);
  assert.deepEqual(placed({ height: 4 }), [0, 1]);
  assert.deepEqual(placed({ data: { amount: 2 } }), [0, 1]);
  assert.deepEqual(placed({ height: 5 }), [0, 0]);
  // A repeated payment must not count twice, and an older key must not come first.
  const later = { ...event, id: '3.1' };
  const both = new Map([[3, { events: [event, later] }]]) as unknown as typeof blocks;
  const { proven, contradicted } = placeEvents([event, later, event], both);
  assert.deepEqual([proven, contradicted], [[later, event], [event]]);
});

test('a block that is shown is compared whole', () => {
  const envelope = { action: 'faucet' };
  const hash = hashValue(envelope);
  const proven = {
    header: { height: 3 },
    certificate: { votes: [1], blockHash: HASH },
    transitions: [hash],
    events: [{ id: '3.0' }],
    verdict: 'trusted',
  } as unknown as Parameters<typeof blockDifferences>[1];
  const { verdict: _, ...rest } = proven;
  const shown = {
    ...rest,
    blockHash: HASH,
    transitions: [{ envelope, transitionHash: hash, index: 0 }],
  };
  assert.deepEqual(blockDifferences(shown, proven), []);
  for (const [name, value] of Object.entries({
    header: { height: 3, stateRoot: 'ff' },
    certificate: { votes: [99] },
    events: [],
    blockHash: OTHER,
    transitions: [{ envelope: { action: 'transfer' }, transitionHash: hash, index: 0 }],
  })) {
    assert.deepEqual(blockDifferences({ ...shown, [name]: value }, proven), [name]);
  }
  assert.deepEqual(blockDifferences({ header: { height: 3 } }, proven), []);
  assert.deepEqual(blockDifferences({ transitions: 'none' }, proven), ['transitions']);
  // The page finds the events of a transition by its index.
  const moved = [{ envelope, transitionHash: hash, index: 1 }];
  assert.deepEqual(blockDifferences({ transitions: moved }, proven), ['transitions']);
});

describe('origins that are named', () => {
  test('are addresses of nodes, which may be below a path', () => {
    assert.equal(addressOf('node.example'), 'https://node.example');
    assert.equal(addressOf(' https://node.example/net/?x#y '), 'https://node.example/net');
    assert.equal(addressOf('http://127.0.0.1:8421/'), 'http://127.0.0.1:8421');
    for (const text of ['', 'javascript:alert(1)', 'file:///etc', 'http://']) {
      assert.throws(() => addressOf(text), RangeError, text);
    }
  });
});

test('recognizes pasted text by its shape', () => {
  const kind = (text: string): string => pastedOf(text).kind;
  assert.equal(kind(` 0x${HASH} `), 'transition');
  assert.equal(kind('#12'), 'block');
  assert.equal(kind('account/ada'), 'state');
  assert.equal(kind('agent-session/ada/x'), 'state');
  assert.equal(kind(JSON.stringify({ transitionHash: HASH, height: 3 })), 'receipt');
  assert.equal(kind(JSON.stringify({ receipt: { transitionHash: HASH, height: 3 } })), 'receipt');
  assert.equal(
    kind(JSON.stringify({ schema: 'NET-FINALITY-CERTIFICATE/1', height: 3 })),
    'certificate',
  );
  assert.equal(kind(JSON.stringify({ header: { height: 3 } })), 'block');
  // The page keeps claims beside the hash, height or key, because it must compare them.
  const whole = { envelope: { a: 1 }, receipt: { transitionHash: HASH, height: 3 } };
  assert.deepEqual(pastedOf(JSON.stringify(whole)), {
    kind: 'receipt',
    hash: HASH,
    document: whole.receipt,
    envelope: whole.envelope,
  });
  for (const document of [
    { header: { height: 3 }, events: [] },
    { key: 'account/ada', value: 1 },
  ]) {
    const found = pastedOf(JSON.stringify(document));
    assert.deepEqual('document' in found && found.document, document);
  }
  for (const text of ['', 'hello there', '{"a":', '{}', '[]'])
    assert.equal(kind(text), 'unknown', text);
});

test('searches only the kinds that the typed text may name', () => {
  const kinds = (text: string): string[] => targetsOf(text).map(({ kind }) => kind);
  assert.deepEqual(kinds('1,234'), ['block']);
  assert.deepEqual(kinds(HASH), ['transition', 'certified']);
  assert.deepEqual(kinds('tok-abc-1'), ['token']);
  assert.deepEqual(kinds('ada'), ['agent', 'order']);
  assert.deepEqual(kinds('<b>'), []);
  assert.ok(fits('Summarise twelve papers', 'PAPERS sum') && !fits('Summarise', 'papers'));
});

test('draws no entry of a list that is none, and at most 1,000 rows', () => {
  const row = { id: 'a' };
  const list = { items: [null, row, 7, [row], 'bea', undefined], nextCursor: null };
  assert.deepEqual(wellFormed(list), { items: [row, 'bea'], nextCursor: null });
  assert.deepEqual(wellFormed({ nodes: list }).nodes.items, [row, 'bea']);
  assert.equal(
    wellFormed({ items: Array.from({ length: 20_000 }, () => row) }).items.length,
    1_000,
  );
  // Signed bytes stay unchanged, and a block keeps all its events.
  const signed = { envelope: { payload: { values: [null, 1] } }, proof: [null, 'b'] };
  assert.deepEqual(wellFormed(signed), signed);
  assert.equal(
    wellFormed({ events: Array.from({ length: 2_000 }, () => row) }).events.length,
    2_000,
  );
});
