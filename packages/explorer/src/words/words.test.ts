import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareEventIds } from '@netd/protocol';
import { barsAt, clockOf, MOST_BARS, windowsAround } from './chart.ts';
import { faceOf, facePath } from './face.ts';
import { shortHash, shortId, transitionName, words } from './ids.ts';
import {
  beginningsAlike,
  isReservedName,
  olderOf,
  readsAsNet,
  Sightings,
  tellApart,
  type Kind,
} from './look-alike.ts';
import { visible, visibleJson, visibleLine } from './strangers.ts';
import { coverage, leftUntil, missing, orderNote, spanWords, unlisted } from './order.ts';
import { streamLines } from './stream.ts';
import { ago, duration, exactTime } from './time.ts';

describe('the stream', () => {
  const event = (id: string, type: string, data: Record<string, unknown>) => ({
    id,
    height: Number(id.split('.')[0]),
    type,
    data,
  });

  test('tells once what happens again and again, with who else it happened to', () => {
    const lines = streamLines([
      event('9.2', 'FaucetPaid', { actorId: 'c', amount: 1 }),
      event('9.1', 'AgentRegistered', { agentId: 'x' }),
      event('9.0', 'FaucetPaid', { actorId: 'b', amount: 1 }),
      event('8.0', 'FaucetPaid', { actorId: 'a', amount: 1 }),
    ]);
    assert.deepEqual(
      lines.map(({ type, times, others }) => [type, times, others]),
      [
        ['FaucetPaid', 3, ['b', 'a']],
        ['AgentRegistered', 1, []],
      ],
    );
  });

  test('keeps votes on two orders apart', () => {
    const vote = (id: string, orderId: string) =>
      event(id, 'WorkVoted', { orderId, verifierId: `v${id}`, vote: 'ACCEPT' });
    assert.equal(streamLines([vote('3.1', 'a'), vote('3.0', 'b'), vote('2.0', 'a')]).length, 2);
  });

  test('orders ids by number, not by letter', () => {
    assert.ok(compareEventIds('10.2', '9.11') > 0);
    assert.ok(compareEventIds('10.2', '10.10') < 0);
  });
});

test('faces are the same everywhere, different for different ids, and never empty', () => {
  assert.deepEqual(faceOf('ada'), faceOf('ada'));
  const faces = Array.from({ length: 2_000 }, (_, at) => faceOf(`agent-${at}`));
  assert.ok(faces.every((face) => facePath(face) !== ''));
  assert.ok(new Set(faces.map((face) => JSON.stringify(face))).size > 1_990);
});

test('names that look alike are marked with the ones they look like, wherever they were seen', () => {
  const alike = (kind: Kind, ...names: string[]): ((name: string) => readonly string[]) => {
    const seen = new Sightings();
    let told = 0;
    for (const name of names) seen.watch(kind, name, name, () => told++)();
    return (name) => seen.others(kind, name);
  };
  const agents = alike('agent', 'operator', '0perator', 'rita', 'r1ta', 'bernd', 'bemd', 'wim');
  assert.deepEqual(agents('0perator'), ['operator']);
  assert.deepEqual(agents('rita'), ['r1ta']);
  assert.deepEqual(agents('bemd'), ['bernd']);
  assert.deepEqual(agents('wim'), []);
  assert.deepEqual(alike('agent', 'claude', 'cIaude')('claude'), ['cIaude']);
  assert.deepEqual(alike('agent', 'cloud', 'c1oud', 'cloud')('cloud'), ['c1oud']);
  assert.deepEqual(alike('order', 'job-1-11', 'job-11-1', 'job-1-1l')('job-1-11'), ['job-1-1l']);
  assert.deepEqual(alike('token', 'Gold', 'Gо1d')('Gold'), ['Gо1d'], 'the second has a Cyrillic о');
  assert.deepEqual(alike('token', 'Tea', 'ꓔea')('Tea'), ['ꓔea'], 'the second has a Lisu letter');
  assert.deepEqual(alike('symbol', 'TEA', 'ᎢᎬᎪ')('TEA'), ['ᎢᎬᎪ'], 'the second is Cherokee');
});

test('only the younger of two names that look alike is marked, and only if both exist', () => {
  const old = { height: 3, index: 1 };
  const young = { height: 3, index: 2 };
  assert.deepEqual(olderOf(young, [['rita', old]]), ['rita']);
  assert.deepEqual(olderOf(old, [['r1ta', young]]), []);
  assert.deepEqual(olderOf(young, [['rita', null]]), [], 'no agent has this name');
  assert.deepEqual(olderOf(null, [['rita', old]]), []);
  assert.deepEqual(olderOf(undefined, [['rita', old]]), [], 'its age is not known yet');
  assert.deepEqual(beginningsAlike('iris'), ['1', 'l', 'L', 'i', 'I']);
  assert.deepEqual(beginningsAlike('bob'), ['b', 'B']);
});

test('knows a text that reads as NET, whatever its letters', () => {
  const plain = ['NET', 'net', 'nET', 'uNET', 'N E T', 'NЕT', 'ΝЕТ', 'ＮＥＴ', 'ɴᴇᴛ', 'N3T', 'NE7'];
  // Lisu, Cherokee, Coptic, Armenian
  const foreign = ['ꓠꓰꓔ', 'NᎬᎢ', 'ⲚEⲦ', 'ռet'];
  const decorated = ['NET.', '$NET', 'N\u200BET', 'NET™', '(NET)', 'Ⓝⓔⓣ', 'NET ✓'];
  for (const text of [...plain, ...foreign, ...decorated]) assert.ok(readsAsNet(text), text);
  for (const text of ['TEA', 'NETTLE', 'tok-net', 'NE', '']) assert.ok(!readsAsNet(text), text);
});

test('marks a name on the page as soon as a lookalike appears, even if both are the same', () => {
  const seen = new Sightings();
  let told = 0;
  const end = seen.watch('token', 'Gold', 'tok-1', () => told++);
  seen.watch('token', 'Gold', 'tok-1', () => told++);
  assert.equal(told, 0);
  seen.watch('token', 'GOLD', 'tok-2', () => undefined);
  assert.equal(told, 2);
  assert.deepEqual(seen.others('token', 'tok-1'), ['tok-2']);
  assert.equal(seen.others('token', 'tok-1'), seen.others('token', 'tok-1'), 'the same list');
  end();
  seen.watch('token', 'gold', 'tok-3', () => undefined);
  assert.equal(told, 3);
});

test('shortens a hash only so far that it differs from its lookalikes', () => {
  const hash = `abcd${'1'.repeat(56)}cdef`;
  const other = `abcd${'1'.repeat(12)}2${'1'.repeat(43)}cdef`;
  assert.equal(tellApart(hash, [], shortHash, 8), 'abcd1111…cdef');
  assert.equal(tellApart(hash, [other], shortHash, 8), `abcd${'1'.repeat(16)}…cdef`);
  const seen = new Sightings();
  for (const id of [hash, other]) seen.watch('hash', id, id, () => undefined);
  assert.deepEqual(seen.others('hash', hash), [other]);
});

test('what is not seen in the text of a stranger is shown, and what it says is not changed', () => {
  assert.equal(visibleLine('pay \u202Ebob\u202C now'), 'pay ⟨U+202E⟩bob⟨U+202C⟩ now');
  assert.equal(visibleLine('al\u200Bice\u0007'), 'al⟨U+200B⟩ice⟨U+0007⟩');
  assert.equal(visibleLine('\u{E0061}\u3164x'), '⟨U+E0061⟩⟨U+3164⟩x');
  assert.equal(visibleLine('  two\n lines '), 'two lines');
  assert.equal(visible('two\n\tlines'), 'two\n\tlines');
  for (const honest of ['👩\u200D🔬', 'می\u200Cخواهم', 'שלום', 'naïve', '👍🏽', '❤️'])
    assert.equal(visible(honest), honest.normalize());
  assert.equal(visible('a\u200Db'), 'a⟨U+200D⟩b');
  assert.equal(visible(`z${'\u0301'.repeat(40)}`), `z${'\u0301'.repeat(4)}…`);
  const signed = { memo: '\u202Ea\u200D\u{E0041}' };
  assert.deepEqual(JSON.parse(visibleJson(signed)), signed);
  assert.doesNotMatch(visibleJson(signed, 2), /[^\P{C}\n]/u);
});

test('long names keep their beginning and their end', () => {
  assert.equal(shortHash('ab'.repeat(32)), 'abababab…abab');
  assert.equal(shortHash('abc'), 'abc');
  assert.equal(shortId('a'.repeat(64)).length, 28);
  assert.equal(words('RELEASE_CANDIDATE'), 'release candidate');
  assert.equal(words('acceptWork'), 'accept work');
  assert.equal(transitionName({ action: 'acceptWork' }), 'accept work');
  assert.equal(transitionName({ kind: 'drawWorkCommittee' }), 'draw work committee');
  assert.equal(transitionName({ publicKeyHash: 'ab' }), 'registration');
});

test('times are shown in their largest unit; clocks that differ a little make no future', () => {
  assert.equal(ago(1_000, 2_500), 'now');
  assert.equal(ago(10_000, 0), 'in 10 s');
  assert.equal(duration(90_000), '90 s');
  assert.equal(duration(7_200_000), '2 h');
  assert.equal(duration(259_200_000), '3 days');
  assert.equal(exactTime(NaN), 'unknown');
});

test('a deadline is soon in the last quarter of its time, and at least two minutes before its end', () => {
  const minute = 60_000;
  const span = { heights: 100, milliseconds: 10 * minute };
  assert.equal(spanWords(span), '10 min, or 100 blocks if they take longer');
  const left = (time: number, whole: number, blocks = 100) =>
    Object.values(leftUntil({ height: 200, time }, whole, { height: 200 - blocks, time: 0 }));
  assert.deepEqual(left(3 * minute, 10 * minute), ['3 min', 'early']);
  assert.deepEqual(left(2.5 * minute, 10 * minute), ['2 min', 'soon']);
  assert.deepEqual(left(2 * minute, 5 * minute), ['2 min', 'soon']);
  assert.deepEqual(left(minute, minute), ['60 s', 'early'], 'a short time is not all warning');
  assert.deepEqual(left(0, 10 * minute), ['100 blocks', 'soon']);
  assert.deepEqual(left(0, 10 * minute, 0), ['0 blocks', 'late']);
});

test('a list lacks the unfinished orders that the state counts beyond those listed', () => {
  const listed = [{ phase: 'OPEN' }, { phase: 'ENDED' }] as const;
  assert.deepEqual(
    [undefined, 0, 1, 3].map((proven) => unlisted(listed, proven)),
    [0, 0, 0, 2],
  );
  // Others are on later pages.
  assert.equal(
    unlisted(
      Array.from({ length: 50 }, () => listed[0]),
      70,
    ),
    0,
  );
});

test('a search result says how an order ended, for how much, between whom and when', () => {
  const order = {
    phase: 'ENDED',
    status: 'PAID',
    reason: null,
    deadline: null,
    disputableUntil: null,
    verification: null,
    validationPolicy: { requiredAccepts: 3 },
    requesterId: 'rita',
    workerId: 'wim',
    funding: 25_000_000,
    createdAt: { height: 1_900 },
    endedAt: { height: 2_051 },
  } as const;
  assert.equal(orderNote(order), 'Paid, 25 NET, rita → wim, block 2,051');
  const open = { ...order, phase: 'OPEN', status: 'OPEN', workerId: null, endedAt: null } as const;
  assert.equal(orderNote(open), 'Open, 25 NET, by rita, block 1,900');
});

test('a sum of money covers all orders of its list, or is not shown', () => {
  const orders = [{ funding: 2 }, { funding: 3 }];
  const of = (total: number | null, hasMore: boolean) => {
    const { shown, money } = coverage(orders, total, hasMore);
    return [shown, money];
  };
  assert.deepEqual(of(2, true), ['2', 5]);
  assert.deepEqual(of(null, false), ['2', 5]);
  assert.deepEqual(of(1_050, true), ['2 of 1,050', null]);
  assert.deepEqual(of(3, false), ['2 of 3', null]);
  assert.deepEqual(of(null, true), ['2 so far', null]);
});

test('the strip has a visible bar for each block that changed something, oldest first', () => {
  const block = (height: number, transitionCount: number) => ({
    height,
    transitionCount,
    timestamp: '2026-01-01T00:00:00.000Z',
  });
  const bars = barsAt({ span: 1, from: 0, to: 9 }, [], {
    blocks: [block(9, 0), block(8, 900), block(7, 1)],
    events: [{ height: 7 }, { height: 7 }, { height: 3 }],
  });
  assert.deepEqual(
    bars.map(({ height }) => height),
    [3, 7, 8],
  );
  const [past, small, large] = bars.map(({ level }) => level);
  assert.ok(Number(past) > 0 && Number(small) > Number(past) && large === 1);
});

test('the strip shows the whole chain first, then fewer blocks around the one on display', () => {
  const shown = (at: number, head: number) =>
    windowsAround(at, head).map(({ span, from, to }) => [span, from, to]);
  assert.deepEqual(shown(50, 99), [[1, 0, 99]]);
  assert.deepEqual(shown(353, 353), [
    [10, 0, 353],
    [1, 254, 353],
  ]);
  assert.deepEqual(shown(1_234, 23_456), [
    [1_000, 0, 23_456],
    [100, 0, 9_999],
    [10, 1_000, 1_999],
    [1, 1_200, 1_299],
  ]);
  for (const head of [1, 100, 101, 9_999, 10_000, 12_345_678]) {
    for (const at of [0, Math.floor(head / 3), head]) {
      for (const { span, from, to } of windowsAround(at, head)) {
        assert.ok(from <= at && at <= to && from % span === 0, `${at} of ${head}`);
        assert.ok((to + 1 - from) / span <= MOST_BARS || span === 100_000, `${span} of ${head}`);
      }
    }
  }
});

test('the labels of a time axis differ, however short it is', () => {
  const told = (...seconds: number[]) => seconds.map(clockOf(seconds));
  const start = 1_700_000_000;
  for (const step of [5, 30, 60, 7_200, 86_400]) {
    const labels = told(...[0, 1, 2].map((at) => start + at * step));
    assert.equal(new Set(labels).size, 3, labels.join());
  }
  assert.match(told(start, start + 3_600)[0] ?? '', /^\d\d:\d\d$/);
});

test('an order lacks the requirements that an agent does not have', () => {
  assert.deepEqual(missing(['a', 'b'], ['b']), ['a']);
});

test('a holder of a name that the rules reserve is marked, unless the genesis gave it the name', () => {
  const genesis = {
    operators: [{ actorId: 'operator' }],
    validators: [{ validatorId: 'validator-0' }],
  };
  const names = [
    'network-admin',
    'verifier-1',
    'house-verifier-1',
    'ada',
    'operator',
    'validator-0',
  ];
  const marked = (version: number): string[] =>
    names.filter((name) => isReservedName(name, { rules: { version } }, genesis));
  assert.deepEqual(marked(2), ['network-admin', 'verifier-1']);
  assert.deepEqual(marked(1), []);
});
