import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { workBrief } from '@netd/documents';
import { ACTIONS, EVENT_DATA, EVENT_MEMBERS, WorkValidationPolicy } from '@netd/ledger';
import type { TObject } from '../type.ts';
import {
  ACTION_SENTENCES,
  describeAction,
  describeEvent,
  EVENT_SENTENCES,
  fill,
  isActor,
  meaningOf,
  nextOfOrder,
  ORDER_PHASES,
  phaseText,
  placeholdersIn,
  plainText,
  type SaidAction,
} from './index.ts';

const nameOf = (place: string): string => place.split(':')[0] ?? '';
/** Names outside of brackets, which have to be there always. */
const alwaysIn = (sentence: string): string[] =>
  placeholdersIn(sentence.replaceAll(/\[([^|\]]*)\|?([^\]]*)\]/g, '$2')).map(nameOf);
const textOf = (type: string, data: Record<string, unknown>): string =>
  plainText(describeEvent(type, data).parts);

describe('placeholders', () => {
  test('of an event are members of its data, in brackets if they may be null, and in their form', () => {
    for (const [type, members] of Object.entries<readonly string[]>(EVENT_DATA)) {
      const [, sentence = ''] = EVENT_SENTENCES.get(type) ?? [];
      const names = new Set(members.map((name) => name.replace('?', '')));
      for (const place of placeholdersIn(sentence)) {
        const name = nameOf(place);
        assert.ok(names.has(name), `${type}: ${place}`);
        if (place.endsWith(':count')) continue;
        const schema = EVENT_MEMBERS[name as keyof typeof EVENT_MEMBERS];
        assert.equal(/ActorId/.test(JSON.stringify(schema)), isActor(place), `${type}: ${place}`);
      }
      for (const name of alwaysIn(sentence)) assert.ok(members.includes(name), `${type}: ${name}`);
    }
  });

  test('of an action are members of its payload, in brackets if they may be left out', () => {
    for (const [action, sentences] of Object.entries<readonly string[]>(ACTION_SENTENCES)) {
      const spec = ACTIONS.get(action);
      assert.ok(spec, action);
      const { properties = {}, required = [] } = spec.payload as {
        properties?: object;
        required?: readonly string[];
      };
      for (const sentence of sentences) {
        for (const place of placeholdersIn(sentence))
          assert.ok(Object.hasOwn(properties, nameOf(place)), `${action}: ${place}`);
        for (const name of alwaysIn(sentence))
          assert.ok(required.includes(name), `${action}: ${name}`);
      }
    }
  });

  test('of a phase are members of the record', () => {
    const { order } = workBrief.schema.properties as Record<string, TObject>;
    const members = order?.properties ?? {};
    const [verification] = (members['verification'] as unknown as { anyOf: [TObject] }).anyOf;
    const known = {
      ...members,
      ...verification.properties,
      ...WorkValidationPolicy.properties,
    };
    for (const [phase, [, , sentence]] of Object.entries(ORDER_PHASES))
      for (const place of placeholdersIn(sentence))
        assert.ok(Object.hasOwn(known, nameOf(place)), `${phase}: ${place}`);
  });
});

describe('an event', () => {
  test('names who did what to whom, and how much', () => {
    const paid = { workerId: 'wim', orderId: 'o-1', paid: 25_000_000 };
    assert.equal(textOf('WorkOrderPaid', paid), 'wim was paid 25 NET for o-1');
    const registered = { agentId: 'ada', referrerAgentId: 'rita' };
    assert.equal(textOf('AgentRegistered', registered), 'ada joined, recruited by rita');
    assert.equal(textOf('AgentRegistered', { ...registered, referrerAgentId: null }), 'ada joined');
    const more = { agentId: 'ada', actions: ['publishBeacon', 'a', 'b', 'c'] };
    assert.equal(
      textOf('AgentCapabilitiesExtended', more),
      'ada can now use publish beacon, a, b and 1 more',
    );
    const vote = { verifierId: 'vera', orderId: 'o-1', vote: 'UNJUDGEABLE' };
    assert.equal(textOf('WorkVoted', vote), 'vera voted on o-1: abstained, could not be judged');
    const drawn = { orderId: 'o-1', verifierIds: [] };
    assert.equal(textOf('WorkCommitteeDrawn', drawn), 'Too few verifiers could be drawn for o-1');
  });

  test('shows the face of the first actor in its sentence', () => {
    const drawn = { orderId: 'o-1', verifierIds: ['vera', 'vito'] };
    assert.equal(describeEvent('WorkCommitteeDrawn', drawn).actor, 'vera');
    assert.equal(textOf('WorkCommitteeDrawn', drawn), 'A jury of 2 was drawn for o-1');
    const approved = { actorId: 'ada', role: 'VERIFIER', approvedBy: null };
    assert.equal(describeEvent('OperatorInvitationCreated', approved).actor, 'ada');
  });

  test('of a later version, or without its members, says what there is', () => {
    const type = 'Some{agentId}Happened';
    assert.equal(textOf(type, { agentId: 'ada' }), 'ada: some{agent id}happened');
    assert.equal(textOf('SomethingNewHappened', {}), 'something new happened');
    assert.equal(textOf('BeaconPublished', {}), 'someone went online');
  });

  test('never fills a placeholder that stands in a value', () => {
    assert.equal(plainText(fill('a {x:text}[, {y:text}]', { x: '{y} [z]', y: 1 })), 'a {y} [z], 1');
  });
});

describe('an order', () => {
  const by = { height: 9, time: '2026-01-01T00:00:00.000Z' };
  const order = {
    phase: 'REVIEW',
    status: 'VERIFYING',
    reason: null,
    deadline: by,
    disputableUntil: null,
    verification: { committee: [1, 2, 3], votes: [1] },
    validationPolicy: { requiredAccepts: 2 },
  } as const;
  const unpaid = (reason: string): string =>
    plainText(
      nextOfOrder({ ...order, phase: 'ENDED', status: 'REJECTED', reason: reason as never }).next,
    );

  test('says what happens next, and by when', () => {
    const { now, next, by: until } = nextOfOrder(order);
    assert.equal(now, 'In review');
    assert.match(plainText(next), /^1 of 3 verifiers have voted. 2 verifiers must accept/);
    assert.equal(until, by);
    assert.equal(nextOfOrder({ ...order, phase: 'ENDED', status: 'PAID' }).now, 'Paid');
  });

  test('gives the fee back unless verifiers decided', () => {
    assert.match(unpaid('UNVERIFIED'), /^No verifier voted .* The funding and the fee went back/);
    assert.match(
      unpaid('VERIFICATION_REJECTED'),
      /The funding went back .* verifiers .* share the fee/,
    );
    const unjudged = { ...order, phase: 'ENDED', unjudged: 'NO_JURY' } as const;
    const refunded = { ...unjudged, status: 'REJECTED', reason: 'DISPUTE_UPHELD' } as const;
    assert.match(
      plainText(nextOfOrder(refunded).next),
      /\. The funding went back to the requester\.$/,
    );
    assert.match(unpaid('OF_LATER'), /^Reason: of later\. The funding and/);
    assert.equal(
      nextOfOrder({ ...order, phase: 'ENDED', status: 'REJECTED', reason: 'SPLIT' }).now,
      'Split',
    );
  });

  test('does not call a contested result uncontested', () => {
    const paid = { ...order, phase: 'ENDED', status: 'PAID', unjudged: 'NO_JURY' } as const;
    const next = (dispute: object | null): string =>
      plainText(nextOfOrder({ ...paid, dispute }).next);
    assert.match(next(null), /^The worker was paid, because the requester did not contest/);
    assert.equal(next({}), 'The worker was paid after a dispute about the result.');
  });

  test('has words for a phase of a later version', () => {
    assert.equal(nextOfOrder({ ...order, phase: 'OF_LATER' as never }).now, 'of later');
    assert.equal(phaseText('OF_LATER' as never), '');
  });

  test('that is given back ends if it was for one agent, and opens again on the market', () => {
    assert.match(meaningOf('releaseWork'), /open market again.*for you alone.*ends with a refund/);
    assert.match(phaseText('ACCEPTED'), /open market then opens again, once; any other ends/);
  });
});

test('an action says what its rule does in each case', () => {
  const whole = (action: SaidAction, payload = {}): string => {
    const { does, means } = describeAction(action, payload);
    return plainText([does, ...means].flat());
  };
  const order = { funding: 5_000_000, title: 't' };
  assert.match(
    whole('createWorkOrder', order),
    /5 NET and the fee of the verifiers go into escrow/,
  );
  const unjudged = whole('createWorkOrder', { ...order, jury: 'none' });
  assert.match(unjudged, /No jury .* paid unless you contest it/);
  assert.doesNotMatch(unjudged, /fee|erifiers/);
  assert.match(whole('settleVerifiedWork'), /all its verifiers who voted share the fee/);
  assert.match(whole('voteWork'), /a vote that a proof contradicts, cost you a tenth/);
  assert.match(whole('openDispute'), /less the fee of a second jury .* the funding is split/);
  assert.match(whole('setAgentRecovery'), /A later change takes effect after the recovery delay/);
  const session = whole('grantSession', { actions: ['transfer'], budget: 0 });
  assert.match(session, /act for you: transfer\..*at most 0 NET .* costs nothing/);
});

test('an action says to its signer what it does, and what it costs', () => {
  const told = describeAction('transfer', { to: 'bob', amount: 5 });
  assert.equal(plainText(told.does), 'You send 0.000005 NET to bob.');
  assert.equal(told.means.length, 1, 'no word about a memo');
  const many = { actions: ['a', 'b', 'c', 'd', 'e'] };
  assert.match(
    plainText(describeAction('extendAgentCapabilities', many).does),
    /: a, b, c, d, e\.$/,
  );
});
