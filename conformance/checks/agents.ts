/** Documents that agents decide by: trust, growth, seeding, intake, lineage, operations, dossier, match. */
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '@netd/protocol';
import { AgentKey } from '@netd/sdk';
import { check } from '../check.ts';
import {
  expectFingerprint,
  expectMember,
  expectProblem,
  membersOf,
  mentions,
  textOf,
} from '../expect.ts';
import type { Network } from '../network.ts';
import type { RequirementId } from '../requirements.ts';
import { beaconOf, checkpointOf, orderOf } from './payloads.ts';

const lively = (net: Network) =>
  net.once('lively', async () => {
    const referrer = await net.agent('elder');
    const actor = await net.agent('lively', { referrerAgentId: referrer.actorId });
    await net.agent('younger', { referrerAgentId: actor.actorId });
    await net.spender('lively');
    const { actorId: agentId } = actor;
    const skill = net.id('rare-skill');
    const beacon = beaconOf(agentId, await net.height(), 1, { capabilities: [skill] });
    await net.does(actor, 'publishBeacon', beacon);
    await net.does(actor, 'commitMemoryCheckpoint', checkpointOf(agentId, net.fresh('memory')));
    return { actor, agentId, beacon, skill, referrer };
  });

/** Returns the paths under a member, at any depth. */
const pathsIn = (value: JsonValue): string[] =>
  [...membersOf({ value })]
    .map(([, , member]) => member)
    .filter((member): member is string => typeof member === 'string' && member.startsWith('/'));

const idCheck = (id: RequirementId, missing: RequirementId, path: (agentId: string) => string) =>
  check(
    `${path('{agentId}')} checks the shape of ids, and an unknown agent is 404`,
    [id, missing],
    async (net) => {
      expectProblem(await net.http.get(path(net.id('absent'))), 404, 'AGENT_NOT_FOUND');
      for (const fits of ['zz', `0${'z'.repeat(63)}`, 'A.b_c-9']) {
        const { status } = await net.http.get(path(fits));
        assert.ok([200, 404].includes(status), `${fits} is an id, and answers ${status}`);
      }
      for (const bad of [
        'z',
        `0${'z'.repeat(64)}`,
        '-zz',
        '.zz',
        '_zz',
        'z%20z',
        'z%C3%A4',
        'z:z',
      ]) {
        expectProblem(await net.http.get(path(bad)), 400, 'PARAMETER_INVALID');
      }
    },
  );

export const AGENT_CHECKS = [
  idCheck('id.agent.lineage', 'error.agent-lineage-404', (id) => `/v1/agent-lineage/${id}`),
  idCheck(
    'id.agent.dossier',
    'error.agent-dossier-404',
    (id) => `/v1/agents/${id}/decision-dossier`,
  ),
  idCheck(
    'id.agent.work-match',
    'error.agent-work-match-404',
    (id) => `/v1/agents/${id}/work-match`,
  ),
  check(
    'the operations of an unknown agent are 404',
    ['error.agent-operations-404'],
    async (net) => {
      const path = `/v1/agents/${net.id('absent')}/operations`;
      expectProblem(await net.http.get(path), 404, 'AGENT_NOT_FOUND');
    },
  ),

  check('the registry lists agents', ['get.agents'], async (net) => {
    const { agentId } = await lively(net);
    const { agents } = await net.http.document('/v1/agents?limit=1000');
    assert.ok((agents as JsonObject[]).some((agent) => agent['agentId'] === agentId));
  }),

  check(
    'the startup document holds checks, counts, next actions and what stays safe',
    [
      'get.agent-startup',
      'document.agent-startup',
      'get.agent-startup.integrity',
      'get.agent-startup.participation',
      'get.agent-startup.next-actions',
      'get.agent-startup.safety',
    ],
    async (net) => {
      const startup = await net.http.document('/v1/agent-startup');
      assert.equal(startup['schema'], 'NET-AGENT-STARTUP/1');
      expectMember(startup, /integrity/i, 'integrity checks');
      expectMember(startup, /participation/i, 'participation');
      const actions = startup['nextActions'] as unknown as NextAction[];
      await expectToJoin(net, actions);
      const safety = expectMember(startup, /safety|boundaries|invariants/i, 'safety') as unknown[];
      assert.ok(safety.length > 0);
    },
  ),

  check(
    'the trust report is evidence with checks that can fail, and no score',
    ['get.agent-trust', 'document.agent-trust-report', 'reads.trust-is-evidence'],
    async ({ http }) => {
      const report = await http.document('/v1/agent-trust');
      assert.equal(report['schema'], 'NET-AGENT-TRUST-REPORT/1');
      expectFingerprint(report, 'reportHash');
      const checks = expectMember(report, /^checks$/, 'checks') as JsonObject[];
      for (const { pass } of checks) assert.equal(typeof pass, 'boolean');
      // A network of one validator cannot pass every gate.
      const { mode } = await http.document('/v1/network');
      if (mode === 'SINGLE_VALIDATOR_DEVNET') {
        assert.ok(checks.some(({ pass }) => pass === false));
      }
      for (const [name] of membersOf(report)) {
        assert.doesNotMatch(name, /score|rating|permission|allowed|trusted$/i);
      }
    },
  ),

  check(
    'seeding binds itself by its hash, holds an invitation, and verifies an inviter only as active',
    [
      'get.agent-seeding',
      'get.agent-seeding.inviter',
      'document.agent-seeding',
      'document.agent-seed-invitation',
      'fingerprint.seedHash',
    ],
    async (net) => {
      const { agentId } = await lively(net);
      for (const query of ['', `?inviter=${agentId}`, `?inviter=${net.id('absent')}`]) {
        const seeding = await net.http.document(`/v1/agent-seeding${query}`);
        assert.equal(seeding['schema'], 'NET-AGENT-SEEDING/1');
        expectFingerprint(seeding, 'evidence.seedHash');
        assert.ok(mentions(seeding, 'NET-AGENT-SEED-INVITATION/1'), 'no invitation');
        const inviter = expectMember(seeding, /^inviter$/, 'the inviter');
        const verified = expectMember(inviter, /^(verified|active)$/, 'its verification');
        assert.equal(verified, query.includes(agentId), query);
      }
    },
  ),

  check(
    'the intake document leads to everything that comes next',
    [
      'get.agent-intake',
      'get.agent-intake.inviter',
      'get.agent-intake.links',
      'document.agent-intake',
    ],
    async (net) => {
      const { agentId } = await lively(net);
      const path = '/.well-known/net-agent-intake.json';
      const intake = await net.http.document(path);
      assert.equal(intake['schema'], 'NET-AGENT-INTAKE/1');
      for (const [what, target] of [
        [/startup/i, '/v1/agent-startup'],
        [/seed/i, '/v1/agent-seeding'],
        [/^(useful)?work$/i, '/v1/agent-opportunities'],
        [/directory/i, '/v1/agent-directory'],
        [/a2a/i, '/a2a/v1'],
        [/mcp/i, '/mcp'],
      ] as const) {
        const paths = pathsIn(expectMember(intake, what, target));
        assert.ok(
          paths.some((link) => link.startsWith(target)),
          `${what.source} does not lead to ${target}, only to ${paths.join(', ')}`,
        );
      }
      const invited = await net.http.document(`${path}?inviter=${agentId}`);
      assert.ok(mentions(invited, agentId));
      assert.equal((await net.http.get(`${path}?inviter=${net.id('absent')}`)).status, 200);
    },
  ),

  check(
    'a lineage holds edges, qualifications, reserves and the integrity of the chain',
    [
      'get.agent-lineage',
      'document.agent-lineage',
      'lineage.edges',
      'lineage.qualification',
      'lineage.reserves',
      'lineage.integrity',
    ],
    async (net) => {
      const { agentId, referrer } = await lively(net);
      const younger = await net.agent('younger');
      const lineage = await net.http.document(`/v1/agent-lineage/${agentId}`);
      assert.equal(lineage['schema'], 'NET-AGENT-LINEAGE/1');
      const edges = new Set<string>();
      for (const [, , value] of membersOf(lineage)) {
        for (const item of Array.isArray(value) ? value : []) {
          const edge = item as JsonObject | null;
          if (edge && typeof edge === 'object' && 'referrerAgentId' in edge) {
            edges.add(`${textOf(edge['referrerAgentId'])} → ${textOf(edge['agentId'])}`);
          }
        }
      }
      assert.ok(edges.has(`${referrer.actorId} → ${agentId}`), 'its recruiter is missing');
      assert.ok(edges.has(`${agentId} → ${younger.actorId}`), 'its recruit is missing');
      assert.equal(
        expectMember(lineage, /^qualification|^qualifying/, 'the receipt that qualified'),
        null,
      );
      expectMember(lineage, /reserve/i, 'reserves');
      expectMember(lineage, /integrity/i, 'the integrity of the chain');
    },
  ),

  check(
    'operations hold work, beacon, continuity, messages, reserve, verification and links',
    [
      'get.agent.operations',
      'document.agent-operations',
      'operations.work',
      'operations.beacons',
      'operations.continuity',
      'operations.messages',
      'operations.reserve',
      'operations.integrity',
      'operations.links',
    ],
    async (net) => {
      const { agentId, beacon } = await lively(net);
      const operations = await net.http.document(`/v1/agents/${agentId}/operations`);
      assert.equal(operations['schema'], 'NET-AGENT-OPERATIONS/1');
      expectMember(operations, /^work$/, 'public work');
      const beacons = expectMember(operations, /^beacons?$/, 'the live beacon');
      assert.ok(mentions(beacons, beacon['endpoint'] as string));
      const continuity = expectMember(operations, /continuity/i, 'continuity');
      assert.equal(expectMember(continuity, /checkpoints/i, 'checkpoints'), 1);
      expectMember(operations, /^messages$/, 'messages');
      expectMember(operations, /reserve/i, 'the reserve');
      expectMember(operations, /integrity/i, 'the verification of the chain');
      assert.ok(pathsIn(expectMember(operations, /^links$/, 'links')).length > 0);
    },
  ),

  check(
    'an agent is described as ERC-8004 asks, by its record and its beacon',
    ['get.agent.erc-8004'],
    async (net) => {
      const { agentId, beacon } = await lively(net);
      const file = await net.http.document(`/v1/agents/${agentId}/erc-8004.json`);
      assert.equal(file['type'], 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1');
      assert.deepEqual([file['name'], file['active']], [agentId, true]);
      const services = file['services'] as JsonObject[];
      assert.ok(services.some(({ endpoint }) => endpoint === beacon['endpoint']));
      assert.ok(
        services.some(({ endpoint }) => textOf(endpoint).endsWith(`/v1/agents/${agentId}`)),
      );
    },
  ),

  check(
    'a dossier combines identity, claims, matches, continuity, activity and lineage of one snapshot',
    [
      'get.agent.dossier',
      'document.agent-decision-dossier',
      'dossier.identity',
      'dossier.claims',
      'dossier.matches',
      'dossier.continuity',
      'dossier.activity',
      'dossier.lineage',
      'dossier.one-snapshot',
    ],
    async (net) => {
      const { agentId, beacon, referrer } = await lively(net);
      const dossier = await net.http.document(`/v1/agents/${agentId}/decision-dossier`);
      assert.equal(dossier['schema'], 'NET-AGENT-DECISION-DOSSIER/1');
      expectFingerprint(dossier, 'evidence.dossierHash');
      assert.ok(mentions(expectMember(dossier, /^identity$/, 'identity'), '"active"'));
      const claims = expectMember(dossier, /claim/i, 'claims');
      assert.ok(mentions(claims, beacon['endpoint'] as string));
      expectMember(dossier, /match/i, 'matches with work');
      expectMember(dossier, /continuity/i, 'continuity');
      const activity = expectMember(dossier, /activity/i, 'activity');
      assert.ok(mentions(activity, 'BeaconPublished'));
      const lineage = expectMember(dossier, /lineage/i, 'lineage');
      assert.ok(mentions(lineage, referrer.actorId));
      const snapshot = dossier['snapshot'] as JsonObject;
      assert.equal(snapshot['height'], dossier['height']);
      const block = await net.http.document(`/v1/blocks/${textOf(snapshot['height'])}`);
      assert.ok(mentions(block, textOf(snapshot['stateRoot'])), 'the block has another root');
    },
  ),

  check(
    'a work match weighs what an agent offers against what is open, as advice',
    ['get.agent.work-match', 'get.agent.work-match.advisory', 'document.agent-work-match'],
    async (net) => {
      const { agentId, skill } = await lively(net);
      const requester = await net.spender('requester');
      const orderId = net.fresh('order');
      const order = orderOf(orderId, { requirements: [skill] });
      await net.does(requester, 'createWorkOrder', order);
      const path = `/v1/agents/${agentId}/work-match`;
      const match = await net.http.document(path);
      assert.equal(match['schema'], 'NET-AGENT-WORK-MATCH/1');
      expectFingerprint(match, 'evidence.workMatchHash');
      assert.ok(mentions(match, `"${orderId}"`), 'an order that asks for just this is missing');
      // Reading advice must not take the order.
      const after = await net.http.document(`/v1/work-orders/${orderId}`);
      assert.ok(mentions(after, '"OPEN"'));
    },
  ),
];

interface NextAction {
  action: string;
  endpoint: string;
  envelope: JsonObject;
}

/** Follows the document step by step, and expects an agent that is registered and can be found. */
async function expectToJoin(net: Network, [first, second]: readonly NextAction[]): Promise<void> {
  const key = await AgentKey.generate();
  const actorId = net.fresh('follows-advice');
  assert.ok(first?.envelope && second?.envelope, 'there is no action to begin with');
  assert.deepEqual([first.action, second.action], ['AgentRegistration', 'publishBeacon']);
  const { publicKey, publicKeyHash } = key;
  const own = { actorId, publicKey, publicKeyHash, nonce: net.fresh('n') };
  const joined = await net.http.post(first.endpoint, await key.sign({ ...first.envelope, ...own }));
  assert.equal(joined.status, 201, `the first action is refused: ${joined.text}`);
  const payload = { ...(second.envelope['payload'] as JsonObject), agentId: actorId };
  const beacon = { ...second.envelope, actorId, nonce: net.fresh('n'), payload };
  const found = await net.http.post(second.endpoint, await key.sign(beacon));
  assert.equal(found.status, 201, `the second action is refused: ${found.text}`);
}
