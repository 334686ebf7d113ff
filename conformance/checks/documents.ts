/** The remaining network documents, by path and schema. */
import assert from 'node:assert/strict';
import { UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { check } from '../check.ts';
import { expectMember, expectProblem, HASH, membersOf, mentions, textOf } from '../expect.ts';
import type { Network } from '../network.ts';
import type { RequirementId } from '../requirements.ts';
import { hashOf } from './payloads.ts';

/** Documents without parameters. */
const DOCUMENTS: [RequirementId[], path: string, schema: string][] = [
  [['get.tokenomics', 'document.tokenomics'], '/v1/tokenomics', 'NET-TOKENOMICS/1'],
  [['get.replicas', 'document.replica-registry'], '/v1/replicas', 'NET-REPLICA-REGISTRY/1'],
  [
    ['get.wallet.releases', 'document.wallet-release'],
    '/v1/wallet/releases',
    'NET-WALLET-RELEASE/1',
  ],
  [
    ['get.wallet.compatibility', 'document.wallet-compatibility'],
    '/v1/wallet/compatibility',
    'NET-WALLET-COMPATIBILITY/1',
  ],
  [['get.topology', 'document.network-topology'], '/v1/topology', 'NET-NETWORK-TOPOLOGY/1'],
  [['get.validation', 'document.pouw-policy'], '/v1/validation', 'NET-POUW-POLICY/1'],
  [
    ['get.mainnet-readiness', 'document.mainnet-readiness'],
    '/v1/mainnet/readiness',
    'NET-MAINNET-READINESS/1',
  ],
  [
    ['get.wallet.distribution', 'document.wallet-distribution-registry'],
    '/v1/wallet/distribution-attestations',
    'NET-WALLET-DISTRIBUTION-REGISTRY/1',
  ],
  [
    ['get.releases', 'document.protocol-release-registry'],
    '/v1/protocol/releases',
    'NET-PROTOCOL-RELEASE-REGISTRY/1',
  ],
  [
    ['get.contributions', 'document.protocol-contribution-registry'],
    '/v1/protocol/contributions',
    'NET-PROTOCOL-CONTRIBUTION-REGISTRY/1',
  ],
];

/** Every JSON read without required parameters. */
export const PLAIN_READS = [
  '/health',
  '/v1/manifest',
  '/v1/agent-startup',
  '/v1/network',
  '/v1/consensus/certificates/latest',
  '/v1/consensus/validator-set',
  '/v1/state/checkpoint',
  '/v1/blocks',
  '/v1/chain/verify',
  '/v1/token',
  '/v1/nodes',
  '/v1/agent-trust',
  '/v1/agent-growth',
  '/v1/agent-seeding',
  '/.well-known/net-agent-intake.json',
  '/v1/agents',
  '/v1/agent-opportunities',
  '/v1/referrals',
  '/v1/discovery',
  '/v1/agent-directory',
  '/v1/agent-messages',
  '/v1/memory/checkpoints',
  '/v1/memory/handovers',
  '/v1/operator-applications',
  '/v1/work-orders',
  '/v1/tokens',
  ...DOCUMENTS.map(([, path]) => path),
];

/** Makes a heartbeat that has observed the current state. */
async function heartbeat(net: Network): Promise<{ agentId: string; observedHeight: number }> {
  const actor = await net.agent('follower');
  // A block with transitions first records its predecessor in the ring of observable heights.
  await net.pass(1);
  const { height, stateRoot } = await net.http.document('/health');
  await net.pass(1);
  await net.does(actor, 'submitNodeHeartbeat', {
    agentId: actor.actorId,
    sequence: 1,
    observedHeight: height ?? 0,
    observedStateRoot: stateRoot ?? '',
    nodeVersion: 'conformance',
  });
  return { agentId: actor.actorId, observedHeight: Number(height) };
}

export const DOCUMENT_CHECKS = [
  ...DOCUMENTS.map(([ids, path, schema]) =>
    check(`${path} answers ${schema}`, ids, async ({ http }) => {
      const document = await http.document(path);
      assert.equal(document['schema'], schema);
      assert.equal(typeof document['height'], 'number');
    }),
  ),

  check(
    'every read that needs nothing answers 200, without a credential',
    ['get.success-is-200', 'service.reads-are-public'],
    async ({ http }) => {
      const bad: string[] = [];
      for (const path of PLAIN_READS) {
        const { status } = await http.get(path);
        if (status !== 200) bad.push(`${path} ${status}`);
      }
      assert.deepEqual(bad, []);
    },
  ),

  check(
    'documents name their schema, in version 1, and hashes are 64 lowercase digits',
    ['versioning.schemas', 'id.hash'],
    async ({ http }) => {
      const bad: string[] = [];
      for (const path of PLAIN_READS) {
        if (path === '/health') continue;
        const { body, status } = await http.get(path);
        if (status !== 200) continue;
        if (!/^NET-[A-Z0-9-]+\/1$/.test(textOf(body['schema']))) {
          bad.push(`${path}: schema ${textOf(body['schema'])}`);
        }
        for (const [name, where, value] of membersOf(body)) {
          if (typeof value !== 'string' || !/[a-z](Hash|Root)$/.test(name)) continue;
          // Text with spaces is a placeholder.
          if (!HASH.test(value) && !/\s/.test(value)) {
            bad.push(`${path}${where}: ${value.slice(0, 70)}`);
          }
        }
      }
      assert.deepEqual(bad, []);
    },
  ),

  check(
    'tokenomics sums to the supply that the token states',
    ['get.tokenomics'],
    async ({ http }) => {
      const { totalSupply } = await http.document('/v1/token');
      const document = await http.document('/v1/tokenomics');
      const stated = expectMember(document, /^(total|totalSupply)$/, 'the supply');
      assert.equal(stated, totalSupply);
      assert.equal(totalSupply, 1_000_000_000 * UNET_PER_NET);
      const classes = expectMember(document, /^classes$/, 'the classes') as { amount: number }[];
      assert.equal(
        classes.reduce((sum, { amount }) => sum + amount, 0),
        totalSupply,
      );
    },
  ),

  check(
    'compatibility speaks of other wallets and of that of the network',
    ['get.wallet.compatibility'],
    async ({ http }) => {
      const document = await http.document('/v1/wallet/compatibility');
      assert.ok(mentions(document, 'MetaMask') || mentions(document, 'Phantom'));
      assert.match(JSON.stringify(document), /own|netd|key file/i);
    },
  ),

  check(
    'readiness is a list of gates that can fail',
    ['get.mainnet-readiness'],
    async ({ http }) => {
      const document = await http.document('/v1/mainnet/readiness');
      const gates = expectMember(document, /^gates$/, 'the gates') as JsonObject[];
      assert.ok(gates.length > 0);
      for (const { pass, actual, required } of gates) {
        assert.equal(typeof pass, 'boolean');
        assert.notEqual(actual, undefined);
        assert.notEqual(required, undefined);
      }
      expectMember(document, /^readinessHash$/, 'readinessHash');
    },
  ),

  check('followers are listed with their heartbeats', ['get.nodes'], async (net) => {
    const { agentId, observedHeight } = await heartbeat(net);
    const nodes = await net.http.document('/v1/nodes?limit=1000');
    assert.ok(mentions(nodes, `"${agentId}"`), 'a follower that has reported is missing');
    assert.ok(mentions(nodes, textOf(observedHeight)));
  }),

  check('the manifest leads a program in', ['get.manifest'], async ({ http }) => {
    const manifest = await http.document('/v1/manifest');
    const { chainId } = await http.document('/v1/network');
    assert.ok(mentions(manifest, textOf(chainId)));
    for (const path of ['/v1/agents/register', '/v1/intents', '/openapi.json']) {
      assert.ok(mentions(manifest, path), `the manifest does not name ${path}`);
    }
    for (const field of ['actorId', 'publicKeyHash', 'signature', 'nonce']) {
      assert.ok(mentions(manifest, field), `the manifest does not say that ${field} is needed`);
    }
  }),

  check(
    'a contribution is committed by its hashes, and not fetched',
    ['post.contributions', 'service.contributions-not-executed'],
    async (net) => {
      const actor = await net.agent('contributes');
      const contributionId = net.fresh('contribution');
      const payload = {
        agentId: actor.actorId,
        contributionId,
        title: 'A better check',
        targetComponent: 'conformance',
        license: 'Apache-2.0',
        contentHash: net.run.padEnd(64, '0'),
        manifestHash: hashOf('b'),
        // Nothing answers here, so a node that fetched it would fail.
        sourceUri: 'https://contribution.invalid/source',
      };
      const path = '/v1/protocol/contributions';
      if (!(await net.status()).open) {
        expectProblem(await net.http.post(path, payload), 403, 'SIGNED_INTENT_REQUIRED');
      }
      const intent = await net.intent(actor, 'submitProtocolContribution', payload);
      assert.equal((await net.http.post(path, intent)).status, 201);
      const registry = await net.http.document(`${path}?limit=1000`);
      assert.ok(mentions(registry, `"${contributionId}"`));
    },
  ),
];
