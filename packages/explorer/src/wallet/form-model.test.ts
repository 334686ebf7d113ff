import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isUnet } from '@netd/protocol';
import { ACTIONS, actionOf, withoutNull, type ActionSpec } from './actions.ts';
import { describeIntent } from './act-words.ts';
import { contradictionOf } from './contradiction.ts';
import { collect, fieldsOf, tokenOf } from './form-model.ts';

const specOf = (name: string): ActionSpec => {
  const spec = actionOf(name);
  assert.ok(spec, name);
  return spec;
};
const CLOCK = { height: 100, blockTimeMs: 1_000 };

describe('a form made from the schema of an action', () => {
  test('there is for every action, and it asks for all that is required and does not follow', () => {
    for (const spec of ACTIONS) {
      const fields = fieldsOf(spec);
      const { faults } = collect(spec, fields, {});
      const required = fields.filter(({ isRequired }) => isRequired).map(({ path }) => path);
      assert.deepEqual([...faults.keys()].toSorted(), required.toSorted(), spec.name);
    }
  });

  test('turns NET into unet, exactly', () => {
    const spec = specOf('transfer');
    const { payload, faults } = collect(spec, fieldsOf(spec), {
      to: 'bob',
      amount: '1000.000001',
    });
    assert.deepEqual([...faults], []);
    assert.deepEqual(payload, { to: 'bob', amount: 1_000_000_001 });
  });

  test('refuses an amount or a number with commas or blanks, and says what to type', () => {
    const bad = ['1,5', '1.2.3', '1e3', '-1', '1.123456789', '١٢', '1.500,25', '1 000', '+5'];
    for (const spec of ACTIONS) {
      for (const field of fieldsOf(spec).filter(({ kind }) => kind === 'net')) {
        for (const amount of bad) {
          const { faults } = collect(spec, [field], { [field.path]: amount });
          const why = `${spec.name} ${field.path} ${amount}`;
          assert.match(faults.get(field.path) ?? '', /^Write 5 or 0\.25 for NET.*no commas/, why);
        }
      }
    }
    const token = specOf('createToken');
    for (const decimals of ['1,5', '1.000', '1 000', '1e3']) {
      const { faults } = collect(token, fieldsOf(token), { decimals });
      assert.match(faults.get('decimals') ?? '', /digits only, such as 1500/, decimals);
    }
  });

  test('reads amounts of tokens in whole units, with the decimals of the token', () => {
    const spec = specOf('transferToken');
    const fields = fieldsOf(spec);
    const amountOf = (amount: string, decimals: number) => {
      const typed = { tokenId: 'tok-gold', to: 'bob', amount };
      assert.equal(tokenOf(fields, typed), 'tok-gold');
      const { payload, faults } = collect(spec, fields, typed, decimals);
      return faults.get('amount') ?? JSON.stringify(payload['amount']);
    };
    assert.equal(amountOf('1.5', 2), '150');
    assert.equal(amountOf('0.05', 2), '5');
    assert.equal(amountOf('1.000', 3), '1000');
    assert.equal(amountOf('7', 0), '7');
    assert.match(amountOf('0.005', 2), /2 decimals at most/);
    assert.match(amountOf('1.5', 0), /no decimals/);
    assert.match(amountOf('0.00', 2), /more than 0/);
    assert.match(amountOf('9007199254740993', 0), /too large/);
    for (const bad of ['1,5', '1 000', '1e3', '-1', '.5', '5.'])
      assert.match(amountOf(bad, 2), /digits, one point, no commas/, bad);
    const hints = fields.map(({ path, hint }) => [path, hint]);
    assert.deepEqual(hints.at(-1), ['amount', 'In whole tokens.']);
  });

  test('reads the amounts of a new token with the decimals that it gets', () => {
    const spec = specOf('createToken');
    const fields = fieldsOf(spec);
    const typed = { tokenId: 'tok-gold', name: 'Gold', symbol: 'GLD', decimals: '2' };
    assert.equal(tokenOf(fields, typed), null);
    const { payload } = collect(spec, fields, { ...typed, supplyCap: '10', initialSupply: '0.5' });
    assert.deepEqual([payload['supplyCap'], payload['initialSupply']], [1_000, 50]);
  });

  test('asks for the decimals of every token whose amount it takes', () => {
    for (const spec of ACTIONS) {
      const fields = fieldsOf(spec);
      const paths = fields.filter(({ kind }) => kind === 'token').map(({ path }) => path);
      const known = fields.some(({ path }) => path === 'tokenId' || path === 'decimals');
      assert.ok(paths.length === 0 || known, spec.name);
    }
  });

  test('reports each fault beside its field', () => {
    const spec = specOf('transfer');
    const typed = { to: 'b', amount: '0.0000001' };
    const { faults } = collect(spec, fieldsOf(spec), typed);
    assert.match(faults.get('to') ?? '', /2 to 64 letters/);
    assert.match(faults.get('amount') ?? '', /at most six decimals/);
    const none = collect(spec, fieldsOf(spec), { to: 'bob', amount: '0' });
    assert.equal(none.faults.get('amount'), 'Enter more than 0.');
  });

  test('asks for the rest of an object only if it was begun', () => {
    const spec = specOf('createWorkOrder');
    const typed = {
      orderId: 'o-1',
      title: 't',
      scopeHash: 'ab'.repeat(32),
      jobType: 'j',
      funding: '1',
    };
    assert.equal(collect(spec, fieldsOf(spec), typed).faults.size, 0);
    const begun = collect(spec, fieldsOf(spec), { ...typed, 'deliverWithin.heights': '5' });
    assert.deepEqual([...begun.faults.keys()], ['deliverWithin.milliseconds']);
  });
});

test('every amount of an act is shown in full before it is signed', () => {
  for (const { name, payload } of ACTIONS) {
    const amounts = Object.entries(payload.properties ?? {}).filter(([, schema]) =>
      isUnet(withoutNull(schema)),
    );
    const given = Object.fromEntries(amounts.map(([member], at) => [member, 1_234_567_891 + at]));
    const told = describeIntent({ action: name, payload: given }, CLOCK);
    const shown = [told.sentence, ...told.stakes]
      .flat()
      .flatMap((part) => (typeof part === 'object' && part.kind === 'net' ? [part.unet] : []));
    for (const unet of Object.values(given)) assert.ok(shown.includes(unet), name);
  }
});

test('every action has words, and a member that its schema does not know is marked', () => {
  for (const { name } of ACTIONS) {
    const { sentence } = describeIntent({ action: name, payload: {} }, CLOCK);
    assert.ok(sentence.length > 0, name);
  }
  const payload = { to: 'bob', amount: 5, tip: { secret: 1 } };
  const { facts } = describeIntent({ action: 'transfer', payload }, CLOCK);
  assert.deepEqual(
    facts.filter(({ isUnknown }) => isUnknown),
    [{ name: 'Tip', parts: ['{"secret":1}'], isUnknown: true }],
  );
});

describe('a simulation', () => {
  const payload = { to: 'bob', amount: 5 };
  const envelope = { actorId: 'ada', action: 'transfer', payload, chainId: 'net-1' };
  const transferred = (data: object = {}) => ({
    type: 'Transferred',
    data: { fromActorId: 'ada', toActorId: 'bob', amount: 5, ...data },
  });
  const told = (data: object, chainId = 'net-1', more: object = {}) =>
    contradictionOf(envelope, {
      chainId,
      outcome: 'accepted',
      events: [transferred(data)],
      changes: [],
      refusal: null,
      ...more,
    } as never);

  test('of something else contradicts what is to be signed', () => {
    assert.equal(told({}), null);
    assert.match(told({ toActorId: 'mallory' }) ?? '', /mallory/);
    assert.match(told({ amount: 50 }) ?? '', /50/);
    assert.match(told({ fromActorId: 'eve' }) ?? '', /eve/);
    assert.match(told({}, 'net-2') ?? '', /net-2/);
  });

  test('that speaks of a second act beside the first is not of this one', () => {
    const events = [transferred(), transferred({ toActorId: 'mallory' })];
    assert.match(told({}, 'net-1', { events }) ?? '', /mallory/);
    const twice = [transferred(), transferred()];
    assert.match(told({}, 'net-1', { events: twice }) ?? '', /more than once/);
  });

  test('that is none is read no further', () => {
    for (const more of [
      { events: null },
      { events: [null] },
      { events: [{ type: 'Transferred', data: null }] },
      { changes: undefined },
      { changes: [null] },
      // A refusal without a reason would otherwise skip the other checks.
      { outcome: 'refused', events: [transferred({ toActorId: 'mallory' })] },
      { refusal: { code: 'X', detail: 'x', errors: [] } },
      { outcome: 'perhaps' },
    ]) {
      assert.match(told({}, 'net-1', more) ?? '', /simulation of the node cannot be read/);
    }
    const refusal = { code: 'AGENT_UNKNOWN', detail: 'no such agent', errors: [] };
    assert.equal(told({}, 'net-1', { outcome: 'refused', refusal, events: [] }), null);
  });

  test('of an answer to a dispute may lock less than the bond that is signed, never more', () => {
    const answer = { orderId: 'o-1', bond: 10 };
    const disputes = (type: string, bond: number) =>
      contradictionOf({ ...envelope, action: 'openDispute', payload: answer }, {
        chainId: 'net-1',
        outcome: 'accepted',
        events: [{ type, data: { actorId: 'ada', orderId: 'o-1', bond } }],
        changes: [],
        refusal: null,
      } as never);
    for (const bond of [0, 10]) assert.equal(disputes('DisputeAnswered', bond), null);
    for (const type of ['DisputeAnswered', 'DisputeOpened'])
      assert.match(disputes(type, 11) ?? '', /bond 10/);
    assert.match(disputes('DisputeOpened', 9) ?? '', /bond 10/);
  });

  test('of taking work on must have the bond that is signed', () => {
    const accept = (workerBond: number | undefined, said: number) =>
      contradictionOf(
        {
          ...envelope,
          action: 'acceptWork',
          payload: { orderId: 'o-1', ...(workerBond === undefined ? {} : { workerBond }) },
        },
        {
          chainId: 'net-1',
          outcome: 'accepted',
          events: [
            { type: 'WorkAccepted', data: { orderId: 'o-1', workerId: 'ada', workerBond: said } },
          ],
          changes: [],
          refusal: null,
        } as never,
      );
    assert.equal(accept(undefined, 0), null);
    assert.equal(accept(7, 7), null);
    assert.match(accept(7, 70) ?? '', /workerBond 7, and .* 70/);
  });
});
