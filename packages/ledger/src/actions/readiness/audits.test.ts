import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import type { CounterName } from '../../counter-names.ts';
import { accepted, refused, verdictOf } from '../../testing/expectations.ts';
import { assertLimits, HASH, ID, TITLE, type Limits } from '../../testing/limits.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import {
  answerOf,
  audited,
  engagementOf,
  findingOf,
  reported,
  seedFindings,
  withAuditors,
} from '../../testing/refusals/readiness.ts';
import { OPERATOR, type TestChain } from '../../testing/test-chain.ts';
import { MAX_DUE_DISTANCE } from './create-audit-engagement.ts';
import { MAX_FINDINGS } from './submit-audit-finding.ts';

const counter = (chain: TestChain, name: CounterName): number => chain.record('counter', name) ?? 0;
const close = (chain: TestChain) =>
  chain.act(OPERATOR, 'closeAuditEngagement', {
    engagementId: 'audit-1',
    reportHash: 'c'.repeat(64),
  });
const confirmation = (auditorId: string, members: JsonObject = {}): JsonObject =>
  findingOf(auditorId, 'INFO', {
    findingId: 'confirmation',
    confirms: 'finding-CRITICAL',
    ...members,
  });

describe('an audit:', () => {
  test('is opened for the auditors it names', () => {
    const chain = withAuditors(standardChain(), 'alice');
    const payload = engagementOf(chain, { auditorIds: ['alice'] });
    assert.deepEqual(accepted(chain.act(OPERATOR, 'createAuditEngagement', payload)), [
      {
        type: 'AuditEngagementCreated',
        data: {
          engagementId: 'audit-1',
          operatorId: OPERATOR,
          title: 'The ledger',
          scopeHash: '5'.repeat(64),
          auditorIds: ['alice'],
          dueAtHeight: payload['dueAtHeight'],
        },
      },
    ]);
    const { status, findings, open, closedAt } = chain.record('audit-engagement', 'audit-1')!;
    assert.deepEqual(
      { status, findings, open, closedAt },
      {
        status: 'OPEN',
        findings: 0,
        open: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0 },
        closedAt: null,
      },
    );
    assert.equal(counter(chain, 'audit-engagements'), 1);
  });
  test('is due within a foreseeable future', () => {
    for (const [distance, expected] of [
      [0, 'AUDIT_DUE_INVALID'],
      [1, 'accepted'],
      [MAX_DUE_DISTANCE, 'accepted'],
      [MAX_DUE_DISTANCE + 1, 'AUDIT_DUE_INVALID'],
    ] as const) {
      const chain = standardChain();
      const payload = engagementOf(chain, { dueAtHeight: chain.height + distance });
      const outcome = chain.act(OPERATOR, 'createAuditEngagement', payload);
      assert.equal(verdictOf(outcome), expected, `${distance}`);
    }
  });
  test('names 1 to 16 auditors, each once', () => {
    for (const [auditorIds, expected] of [
      [[], 'PAYLOAD_INVALID'],
      [['alice', 'alice'], 'PAYLOAD_INVALID'],
      [Array.from({ length: 16 }, (_, i) => `auditor-${i}`), 'AUDITOR_UNKNOWN'],
      [Array.from({ length: 17 }, (_, i) => `auditor-${i}`), 'PAYLOAD_INVALID'],
    ] as const) {
      const chain = standardChain();
      const payload = engagementOf(chain, { auditorIds: [...auditorIds] });
      refused(chain, chain.intent(OPERATOR, 'createAuditEngagement', payload), expected);
    }
  });
  test('is closed after a report, and counts', () => {
    const chain = reported(standardChain(), 'INFO');
    const [event] = accepted(close(chain));
    assert.equal(event?.type, 'AuditEngagementClosed');
    const { status, reportHash } = chain.record('audit-engagement', 'audit-1')!;
    assert.deepEqual([status, reportHash], ['CLOSED', 'c'.repeat(64)]);
    assert.equal(counter(chain, 'audit-engagements-closed'), 1);
  });
  test('expires exactly at its due height if no report came, and does not count', () => {
    const chain = audited(standardChain());
    const { dueAtHeight } = chain.record('audit-engagement', 'audit-1')!;
    chain.ledger.advance(dueAtHeight - chain.height - 1);
    assert.equal(verdictOf(close(chain)), 'AUDIT_NOT_REPORTED');
    assert.equal(chain.height, dueAtHeight);
    assert.equal(chain.record('audit-engagement', 'audit-1')?.status, 'OPEN');
    chain.block([]);
    const [event] = chain.ledger.blocks.at(-1)!.events;
    assert.deepEqual(
      [event?.type, event?.data],
      [
        'AuditEngagementExpired',
        { engagementId: 'audit-1', operatorId: OPERATOR, auditorIds: null },
      ],
    );
    const { status, closedAt } = chain.record('audit-engagement', 'audit-1')!;
    assert.deepEqual([status, closedAt], ['EXPIRED', { height: dueAtHeight + 1, index: 0 }]);
    assert.equal(counter(chain, 'audit-engagements-closed'), 0);
    assert.equal(verdictOf(close(chain)), 'AUDIT_ENGAGEMENT_CLOSED');
    const late = chain.act('alice', 'submitAuditFinding', findingOf('alice', 'LOW'));
    assert.equal(verdictOf(late), 'AUDIT_ENGAGEMENT_CLOSED');
  });
  test('stays open beyond its due height after a report', () => {
    const chain = reported(standardChain(), 'CRITICAL');
    const { dueAtHeight } = chain.record('audit-engagement', 'audit-1')!;
    chain.ledger.advance(dueAtHeight + 5 - chain.height);
    chain.block([]);
    assert.deepEqual(chain.ledger.blocks.at(-1)?.events, []);
    accepted(chain.act('bob', 'submitAuditFinding', findingOf('bob', 'LOW')));
  });
  test('takes 256 findings, and confirmations on top of them', () => {
    const chain = audited(standardChain());
    seedFindings(chain, MAX_FINDINGS - 2);
    accepted(chain.act('alice', 'submitAuditFinding', findingOf('alice', 'CRITICAL')));
    chain.does(OPERATOR, 'respondAuditFinding', answerOf('CRITICAL', 'FIXED'));
    accepted(chain.act('bob', 'submitAuditFinding', confirmation('bob')));
    accepted(chain.act('alice', 'submitAuditFinding', findingOf('alice', 'LOW')));
    const further = chain.intent('alice', 'submitAuditFinding', findingOf('alice', 'HIGH'));
    refused(chain, further, 'AUDIT_FINDING_LIMIT');
    const { findings, confirmations } = chain.record('audit-engagement', 'audit-1')!;
    assert.deepEqual([findings, confirmations], [MAX_FINDINGS + 1, 1]);
  });
});

describe('a finding:', () => {
  test('is committed as submitted and counted as open', () => {
    const chain = reported(standardChain(), 'HIGH');
    const {
      submittedAt: _at,
      transitionHash: _hash,
      ...record
    } = chain.record('audit-finding', 'finding-HIGH')!;
    assert.deepEqual(record, {
      ...findingOf('alice', 'HIGH'),
      confirms: null,
      response: null,
      open: true,
      confirmedBy: null,
    });
    assert.equal(counter(chain, 'open-findings-high'), 1);
    assert.equal(chain.record('audit-engagement', 'audit-1')?.open.HIGH, 1);
  });
  for (const severity of ['MEDIUM', 'LOW'] as const) {
    for (const [response, open] of [
      ['ACCEPTED', true],
      ['FIXED', false],
      ['DISPUTED', false],
      ['RISK_ACCEPTED', false],
    ] as const) {
      test(`that is ${severity} and ${response} is ${open ? 'open' : 'settled'}`, () => {
        const chain = reported(standardChain(), severity);
        chain.does(OPERATOR, 'respondAuditFinding', answerOf(severity, response));
        assert.equal(chain.record('audit-finding', `finding-${severity}`)?.open, open);
        const name = severity === 'MEDIUM' ? 'open-findings-medium' : 'open-findings-low';
        assert.equal(counter(chain, name), open ? 1 : 0);
        accepted(close(chain));
      });
    }
  }
  for (const response of ['FIXED', 'DISPUTED'] as const) {
    test(`that is critical and ${response} is open until an auditor confirms`, () => {
      const chain = reported(standardChain(), 'CRITICAL');
      chain.does(OPERATOR, 'respondAuditFinding', answerOf('CRITICAL', response));
      assert.equal(counter(chain, 'open-findings-critical'), 1);
      const events = accepted(chain.act('bob', 'submitAuditFinding', confirmation('bob')));
      assert.deepEqual(
        events.map(({ type }) => type),
        ['AuditFindingSubmitted', 'AuditFindingConfirmed'],
      );
      const { open, confirmedBy } = chain.record('audit-finding', 'finding-CRITICAL')!;
      assert.deepEqual([open, confirmedBy], [false, 'confirmation']);
      assert.equal(counter(chain, 'open-findings-critical'), 0);
      accepted(close(chain));
    });
  }
  test('can be confirmed by any auditor, even if all named ones are gone', () => {
    const chain = audited(standardChain(), { auditorIds: ['alice'] });
    chain
      .does('alice', 'submitAuditFinding', findingOf('alice', 'CRITICAL'))
      .does(OPERATOR, 'respondAuditFinding', answerOf('CRITICAL', 'FIXED'))
      .does(OPERATOR, 'revokeAuthority', { actorId: 'alice' });
    accepted(chain.act('bob', 'submitAuditFinding', confirmation('bob')));
    accepted(close(chain));
  });
  test('that was left open in a closed audit can still be answered', () => {
    const chain = reported(standardChain(), 'LOW');
    accepted(close(chain));
    assert.equal(counter(chain, 'open-findings-low'), 1);
    chain.does(OPERATOR, 'respondAuditFinding', answerOf('LOW', 'FIXED'));
    assert.equal(counter(chain, 'open-findings-low'), 0);
  });
});

describe('the payload of', () => {
  const cases: [
    action: string,
    actor: string,
    payload: (chain: TestChain) => JsonObject,
    limits: Record<string, Limits>,
  ][] = [
    [
      'createAuditEngagement',
      OPERATOR,
      (chain) => engagementOf(chain, { engagementId: 'audit-2' }),
      {
        engagementId: ID,
        title: TITLE,
        scopeHash: HASH,
        dueAtHeight: { fits: [], breaks: [-1, 1.5, '9', null] },
      },
    ],
    [
      'submitAuditFinding',
      'alice',
      () => findingOf('alice', 'LOW', { findingId: 'another' }),
      {
        engagementId: { fits: [], breaks: ID.breaks },
        findingId: ID,
        severity: {
          fits: ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'],
          breaks: ['low', 'NONE', null],
        },
        findingHash: HASH,
        title: TITLE,
        component: { fits: ['a', 'é'.repeat(128)], breaks: ['', 'a'.repeat(129), null] },
        confirms: { fits: [], breaks: ID.breaks },
      },
    ],
    [
      'respondAuditFinding',
      OPERATOR,
      () => answerOf('LOW', 'FIXED'),
      {
        findingId: { fits: [], breaks: ID.breaks },
        response: {
          fits: ['ACCEPTED', 'FIXED', 'DISPUTED', 'RISK_ACCEPTED'],
          breaks: ['fixed', 'IGNORED', null],
        },
        responseHash: HASH,
      },
    ],
    [
      'closeAuditEngagement',
      OPERATOR,
      () => ({ engagementId: 'audit-1' }),
      { engagementId: { fits: [], breaks: ID.breaks }, reportHash: HASH },
    ],
    [
      'sealMainnetGenesis',
      'alice',
      () => ({ agentId: 'alice', genesisHash: 'a'.repeat(64) }),
      { genesisHash: { fits: [], breaks: HASH.breaks } },
    ],
  ];
  for (const [action, actor, payloadOn, members] of cases) {
    for (const [member, limits] of Object.entries(members)) {
      test(`${action} takes a ${member} within its limits and none outside`, () => {
        const chain = reported(standardChain(), 'LOW');
        assertLimits(chain, { actor, action, payload: payloadOn(chain) }, member, limits);
      });
    }
    test(`${action} takes no further member`, () => {
      const chain = reported(standardChain(), 'LOW');
      const payload = { ...payloadOn(chain), note: '' };
      refused(chain, chain.intent(actor, action, payload), 'PAYLOAD_INVALID');
    });
  }
});
