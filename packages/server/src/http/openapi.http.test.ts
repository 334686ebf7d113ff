/** /openapi.json is true: every operation exists, works, and answers as its schema says. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DOCUMENTS } from '@netd/documents';
import { ACTIONS, TRANSITIONS } from '@netd/ledger';
import {
  answerOf,
  beaconOf,
  checkpointOf,
  contributionOf,
  genesisProposalOf,
  engagementOf,
  findingOf,
  handoverOf,
  messageOf,
  offerOf,
  tokenOf,
  TOKEN_ACTIONS,
  walletOf,
  workOrderOf,
} from '@netd/ledger/testing';
import { canonicalize, ERROR_TABLE, type JsonObject, type JsonValue } from '@netd/protocol';
import { closed } from '@netd/protocol/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  describes,
  HttpNode,
  type Answer,
  type Description,
  textOf,
} from '@netd/testkit/http-node';
import { DOWNLOADS } from '../downloads.ts';
import { describeInterface } from '@netd/node/describe';
import { becomeAuditor } from '@netd/testkit/auditor';
import { becomeProvider } from '@netd/testkit/runtime-provider';
import { becomeValidator, VALIDATOR } from '@netd/testkit/validator';

let node: HttpNode;
let provider: string;
let description: Description;
let conforms: (pointer: string) => ValidateFunction;

before(async () => {
  node = await HttpNode.start({
    laboratory: true,
    securityContact: 'mailto:security@example.org',
  });
  description = await node.description();
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int64: true } });
  ajv.addSchema({ $id: 'netd:openapi', ...closed(description) });
  conforms = (pointer) => ajv.compile({ $ref: `netd:openapi#${pointer}` });
  await node.join('alice');
  await node.join('bob', { referrerAgentId: 'alice', description: 'reads papers' });
  await node.act('bob', 'publishBeacon', beaconOf('bob', node.height));
  await node.act('bob', 'setAgentRecovery', { agentId: 'bob', guardians: ['alice'], threshold: 1 });
  await node.act('bob', 'sendAgentMessage', messageOf(node, 'bob', 'alice'));
  await node.act('bob', 'commitMemoryCheckpoint', checkpointOf('bob', 1));
  await node.act('bob', 'extendAgentCapabilities', { agentId: 'bob', actions: TOKEN_ACTIONS });
  await node.act('bob', 'createToken', tokenOf({ mintAuthority: 'bob' }));
  provider = await becomeProvider(node);
  await node.act(provider, 'registerRuntimeOffer', offerOf(node, provider, 'runtime-1'));
  await becomeAuditor(node, 'vigil');
  await node.act('vigil', 'attestWalletDistribution', walletOf('vigil'));
  const { actorId: operator } = node.running.node.dataDir.operator;
  await node.act(operator, 'createAuditEngagement', engagementOf(node));
  await node.act('vigil', 'submitAuditFinding', findingOf('vigil', 'HIGH'));
  await node.act(operator, 'respondAuditFinding', answerOf('HIGH', 'FIXED'));
  const handover = handoverOf(node, 'bob', 'of-bob', { targetProviderId: provider });
  await node.act('bob', 'prepareMemoryHandover', handover);
  await becomeValidator(node);
});
after(() => node.stop());

const latest = (): Promise<JsonObject> => node.document('/v1/consensus/certificates/latest');

/** Other protocols define their answers, and a chunk contains only its checkpoint's bytes. */
const OF_OTHERS = ['schema', 'chainId'];
const LACKS: Record<string, readonly string[]> = {
  '/openapi.json': OF_OTHERS,
  '/.well-known/agent-card.json': OF_OTHERS,
  '/a2a/v1/message:send': OF_OTHERS,
  '/a2a/v1/rpc': OF_OTHERS,
  '/a2a/v1/tasks': OF_OTHERS,
  '/a2a/v1/tasks/{id}': OF_OTHERS,
  '/.well-known/jwks.json': OF_OTHERS,
  '/v1/agents/{agentId}/erc-8004.json': OF_OTHERS,
  '/mcp': OF_OTHERS,
  '/downloads/server.json': OF_OTHERS,
  '/v1/state/chunks/{index}': ['chainId'],
};

/** A successful request for each operation. */
const requests: Record<string, () => Promise<Answer>> = {
  getHome: () => node.get('/'),
  ...Object.fromEntries(
    DOWNLOADS.map(({ operationId, name }) => [operationId, () => node.get(`/downloads/${name}`)]),
  ),
  getOpenApi: () => node.get('/openapi.json'),
  getErrorCodes: () => node.get('/docs/errors'),
  getHealth: () => node.get('/health'),
  getLivez: () => node.get('/livez'),
  getReadyz: () => node.get('/readyz'),
  getMetrics: () => node.get('/metrics'),
  getNetwork: () => node.get('/v1/network'),
  getGenesis: () => node.get('/v1/genesis'),
  verifyChain: () => node.get('/v1/chain/verify'),
  getLatestCertificate: () => node.get('/v1/consensus/certificates/latest'),
  getCertificate: async () =>
    node.get(`/v1/consensus/certificates/${textOf(await latest(), 'certificateHash')}`),
  getValidatorSet: () => node.get('/v1/consensus/validator-set'),
  listValidatorSetChanges: () => node.get('/v1/consensus/validator-set/changes?after=0'),
  // A chain of one validator has no engine with its own blocks.
  getEngineBlock: () => node.get('/v1/consensus/engine-blocks/1'),
  getStateCheckpoint: () => node.get('/v1/state/checkpoint'),
  getStateChunk: async () => {
    const checkpoint = await node.document('/v1/state/checkpoint');
    return node.get(`/v1/state/chunks/0?checkpoint=${textOf(checkpoint, 'checkpointHash')}`);
  },
  getStateProof: () => node.get('/v1/state/proof?key=agent/bob'),
  listBlocks: () => node.get('/v1/blocks?limit=3'),
  getBlocks: () => node.get('/v1/blocks/whole?heights=2,1'),
  getBlock: () => node.get('/v1/blocks/2'),
  getTransition: async () => {
    const { transitionHash } = await node.join('listed');
    return node.get(`/v1/transitions/${transitionHash}`);
  },
  listEvents: () => node.get('/v1/events?limit=3'),
  listAgents: () => node.get('/v1/agents'),
  getErc8004Registration: () => node.get('/v1/agents/bob/erc-8004.json'),
  getAgent: () => node.get('/v1/agents/bob'),
  listReferrals: () => node.get('/v1/referrals'),
  discoverAgents: () => node.get('/v1/discovery'),
  getAccount: () => node.get('/v1/accounts/net:faucet'),
  getToken: () => node.get('/v1/token'),
  registerAgent: () => node.post('/v1/agents/register', node.registration('described')),
  submitIntent: () =>
    node.post('/v1/intents', node.intent('bob', 'withdrawBeacon', { agentId: 'bob' })),
  listOperatorApplications: () => node.get('/v1/operator-applications'),
  submitOperatorApplication: () =>
    node.post('/v1/operator-applications', node.application('applicant', 'HUMAN')),
  claimOperatorInvitation: async () => {
    const application = node.application('claimant', 'HUMAN');
    const { body } = await node.post('/v1/operator-applications', application);
    const claim = node.claim('claimant', textOf(body, 'invitationId'));
    return node.post('/v1/operator-invitations/claim', claim);
  },
  simulateIntent: () =>
    node.post('/v1/intents:simulate', {
      actorId: 'alice',
      action: 'publishBeacon',
      payload: beaconOf('alice', node.height),
    }),
  createWorkOrder: () => {
    const { actorId } = node.running.node.dataDir.operator;
    return node.post(
      '/v1/work-orders',
      node.intent(actorId, 'createWorkOrder', workOrderOf('o-1')),
    );
  },
  getLaboratory: () => node.get('/v1/lab'),
  traceTransition: async () => {
    const { transitionHash } = await node.join('traced');
    return node.get(`/v1/lab/trace?transition=${transitionHash}`);
  },
  mineBlocks: () => node.post('/v1/lab/mine', { blocks: 2 }),
  moveTime: () => node.post('/v1/lab/time', { seconds: 1, blocks: 1 }),
  takeSnapshot: () => node.post('/v1/lab/snapshot', {}),
  revertToSnapshot: () => node.post('/v1/lab/revert', {}),
  setBlockMode: () => node.post('/v1/lab/mode', { mode: 'automatic' }),
  listWorkOrders: () => node.get('/v1/work-orders'),
  getWorkOrder: () => node.get('/v1/work-orders/o-1'),
  listAgentMessages: () => node.get('/v1/agent-messages'),
  listMemoryCheckpoints: () => node.get('/v1/memory/checkpoints'),
  commitMemoryCheckpoint: () =>
    node.post(
      '/v1/memory/checkpoints',
      node.intent('alice', 'commitMemoryCheckpoint', checkpointOf('alice', 1)),
    ),
  listMemoryHandovers: () => node.get('/v1/memory/handovers'),
  prepareMemoryHandover: () => {
    const payload = handoverOf(node, 'alice', 'of-alice', { targetProviderId: provider });
    return node.post(
      '/v1/memory/handovers',
      node.intent('alice', 'prepareMemoryHandover', payload),
    );
  },
  listTokens: () => node.get('/v1/tokens'),
  getCustomToken: () => node.get('/v1/tokens/tok-gold'),
  getTopology: () => node.get('/v1/topology'),
  getConventions: () => node.get('/v1/conventions'),
  listReplicas: () => node.get('/v1/replicas'),
  listNodes: () => node.get('/v1/nodes'),
  listValidators: () => node.get('/v1/validators'),
  getValidator: () => node.get(`/v1/validators/${VALIDATOR}`),
  getTokenomics: () => node.get('/v1/tokenomics'),
  getAgentStartup: () => node.get('/v1/agent-startup'),
  getAgentTrust: () => node.get('/v1/agent-trust'),
  getForkEvidence: () => node.get('/v1/fork-evidence'),
  listFrames: () => node.get('/v1/frames'),
  getAgentGrowth: () => node.get('/v1/agent-growth'),
  getAgentSeeding: () => node.get('/v1/agent-seeding?inviter=alice'),
  getSeedInvitation: () => node.get('/.well-known/net-agent-seed.json?inviter=alice'),
  getAgentIntake: () => node.get('/.well-known/net-agent-intake.json?inviter=alice'),
  getAgentLineage: () => node.get('/v1/agent-lineage/bob'),
  getAgentOperations: () => node.get('/v1/agents/bob/operations'),
  getManifest: () => node.get('/v1/manifest'),
  getLlmsText: () => node.get('/llms.txt'),
  getDocs: () => node.get('/docs'),
  getGuide: () => node.get('/docs/guides/hire'),
  getFormats: () => node.get('/docs/formats'),
  getDocsSection: () => node.get('/docs/actions'),
  getDocsPage: () => node.get('/docs/actions/transfer'),
  submitProtocolContribution: () =>
    node.post(
      '/v1/protocol/contributions',
      node.intent('bob', 'submitProtocolContribution', contributionOf()),
    ),
  listProtocolContributions: () => node.get('/v1/protocol/contributions'),
  getProtocolContribution: () => node.get('/v1/protocol/contributions/c-1'),
  listProtocolReleases: () => node.get('/v1/protocol/releases'),
  listProposals: async () => {
    const { actorId } = node.running.node.dataDir.operator;
    await node.act(actorId, 'submitProposal', genesisProposalOf({ governorId: actorId }));
    return node.get('/v1/governance/proposals');
  },
  getProposal: () => node.get('/v1/governance/proposals/p-1'),
  getMainnetReadiness: () => node.get('/v1/mainnet/readiness'),
  listAudits: () => node.get('/v1/audits'),
  getAudit: () => node.get('/v1/audits/audit-1'),
  getWalletReleases: () => node.get('/v1/wallet/releases'),
  getWalletCompatibility: () => node.get('/v1/wallet/compatibility'),
  listWalletDistributions: () => node.get('/v1/wallet/distribution-attestations'),
  getValidationPolicy: () => node.get('/v1/validation'),
  getMcpPointer: () => node.get('/.well-known/mcp.json'),
  callMcp: () =>
    node.post('/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'net_network_status' },
    }),
  getMcpServerCard: () => node.get('/.well-known/mcp/server-card.json'),
  getAiCatalog: () => node.get('/.well-known/ai-catalog.json'),
  getRobotsText: () => node.get('/robots.txt'),
  getSecurityText: () => node.get('/.well-known/security.txt'),
  getAgentCard: () => node.get('/.well-known/agent-card.json'),
  sendA2aMessage: () =>
    node.post('/a2a/v1/message:send', {
      message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'status' }] },
    }),
  callA2a: () =>
    node.post('/a2a/v1/rpc', {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'status' }] } },
    }),
  streamA2aMessage: () =>
    node.post('/a2a/v1/message:stream', {
      message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'status' }] },
    }),
  subscribeToA2aTask: () => subscribed('GET'),
  postSubscribeToA2aTask: () => subscribed('POST'),
  listA2aTasks: () => node.get('/a2a/v1/tasks'),
  getA2aTask: () => node.get('/a2a/v1/tasks/o-1'),
  getKeySet: () => node.get('/.well-known/jwks.json'),
  listAgentOpportunities: () => node.get('/v1/agent-opportunities'),
  getWorkBrief: () => node.get('/v1/work-orders/o-1/brief'),
  getWorkAudit: () => node.get('/v1/work-orders/o-1/audit'),
  matchAgentWork: () => node.get('/v1/agents/bob/work-match'),
  getDecisionDossier: () => node.get('/v1/agents/bob/decision-dossier'),
  getAgentDirectory: () => node.get('/v1/agent-directory'),
};

/** Opens a stream, which ends with its task. */
async function subscribed(method: string): Promise<Answer> {
  const { actorId } = node.running.node.dataDir.operator;
  const orderId = `o-${method.toLowerCase()}`;
  await node.act(actorId, 'createWorkOrder', workOrderOf(orderId));
  const response = await fetch(`${node.url}/a2a/v1/tasks/${orderId}:subscribe`, { method });
  await node.act(actorId, 'cancelWorkOrder', { orderId });
  const bytes = Buffer.from(await response.arrayBuffer());
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, bytes, text: bytes.toString(), body: {} };
}

const capitalized = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const escape = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');

test('serves the description that the routes give (else: npm run contract)', async () => {
  assert.deepEqual(description, await describeInterface(node.running.node));
});

test('every operation has a request here, and every request an operation', () => {
  const described = operations().map(({ operation }) => operation.operationId);
  assert.deepEqual(described.toSorted(), Object.keys(requests).toSorted());
});

function operations(): { path: string; method: string; operation: Description['paths'][''][''] }[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Operations that need an engine of many validators. This node has none; conformance checks them. */
const NOT_HERE = new Set(['getEngineBlock']);

describe('every operation answers what its schema says', () => {
  for (const [operationId, request] of Object.entries(requests)) {
    test(operationId, async () => {
      const found = operations().find(({ operation }) => operation.operationId === operationId);
      assert.ok(found, 'it is not described');
      const answer = await request();
      if (NOT_HERE.has(operationId)) {
        assert.equal(answer.status, 404, answer.text);
        return;
      }
      assert.ok([200, 201].includes(answer.status), answer.text);
      const { content } = found.operation.responses[String(answer.status)] ?? {};
      assert.ok(content, `status ${answer.status} is not described`);
      const type = String(answer.headers['content-type']).split(';')[0] ?? '';
      assert.ok(content[type], `${type} is not described, only ${Object.keys(content).join(', ')}`);
      if (type !== 'application/json') return;
      assert.deepEqual(
        ['schema', 'chainId'].filter((member) => !Object.hasOwn(answer.body, member)),
        LACKS[found.path] ?? [],
      );
      const pointer = `/paths/${encodeURIComponent(escape(found.path))}/${found.method}/responses/${answer.status}/content/${encodeURIComponent(escape(type))}/schema`;
      const validate = conforms(pointer);
      assert.ok(validate(JSON.parse(answer.text)), JSON.stringify(validate.errors, null, 1));
      // Files for people are not compact.
      const isFile = found.path.startsWith('/downloads/');
      if (answer.headers.etag && !isFile) assert.equal(answer.text, canonicalize(answer.body));
    });
  }
});

test('no schema is so loose that any object passes', () => {
  // A schema that accepts this body describes nothing: each must forbid members it does not describe.
  const loose = operations().flatMap(({ path, method, operation }) =>
    Object.entries(operation.responses).flatMap(([status, { content }]) => {
      if (!content?.['application/json'] || path === '/openapi.json') return [];
      const pointer = `/paths/${encodeURIComponent(escape(path))}/${method}/responses/${status}/content/application~1json/schema`;
      return conforms(pointer)({ surprise: true }) ? [`${method} ${path} ${status}`] : [];
    }),
  );
  assert.deepEqual(loose, []);
});

test('a refusal answers what the schema of problems says', async () => {
  const answers = [
    await node.get('/v1/agents/nobody'),
    await node.post('/v1/agents/register', '{}'),
    await node.post('/v1/intents', node.intent('nobody', 'faucet', {})),
  ];
  const schema = description.components['schemas'] as JsonObject;
  assert.ok(schema['Problem']);
  const validate = conforms('/components/schemas/Problem');
  for (const { body } of answers) assert.ok(validate(body), JSON.stringify(validate.errors));
});

test('the description is one of OpenAPI 3.1.0 with unique names and true references', () => {
  const { openapi, info } = description as unknown as { openapi: string; info: JsonObject };
  assert.equal(openapi, '3.1.0');
  assert.equal(info['version'], '0.13.1');
  const ids = operations().map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  const references = [...canonicalize(description).matchAll(/"\$ref":"#([^"]+)"/g)];
  assert.ok(references.length > 0);
  for (const [, pointer = ''] of references) {
    let at: JsonValue | undefined = description as unknown as JsonObject;
    for (const part of pointer.split('/').slice(1)) {
      at = (at as JsonObject)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    }
    assert.notEqual(at, undefined, pointer);
  }
});

type Parameter = NonNullable<Description['paths']['']['']['parameters']>[number];

test('every parameter of a path is described, and nothing that is none', () => {
  for (const { path, operation } of operations()) {
    const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
    const shared = description.components['parameters'] as unknown as Record<string, Parameter>;
    const described = (operation.parameters ?? [])
      .map((it) => (it.$ref === undefined ? it : shared[it.$ref.split('/').at(-1) ?? '']))
      .filter((it) => it?.in === 'path');
    assert.deepEqual(new Set(described.map((it) => it?.name)), new Set(named), path);
  }
});

test('every action has its payload described', () => {
  const schemas = description.components['schemas'] as JsonObject;
  for (const name of ACTIONS.keys()) {
    assert.ok(schemas[`${capitalized(name)}Payload`], name);
  }
});

test('every kind of signed envelope can be sent somewhere', () => {
  const bodies = JSON.stringify(operations().map(({ operation }) => operation.requestBody));
  const sent = Object.values(TRANSITIONS).filter(({ kind }) => kind !== 'open');
  for (const { kind, name } of sent) {
    const schema = kind === 'intent' ? 'Intent' : name;
    assert.ok(bodies.includes(`"#/components/schemas/${schema}"`), name);
  }
});

test('operations describe every status that an error can have', () => {
  for (const [code, { status }] of Object.entries(ERROR_TABLE)) {
    if (operations().some(({ operation }) => describes(operation, String(status)))) continue;
    assert.fail(`${code} is answered with ${status}, which no operation describes`);
  }
});

describe('what generators of clients need', () => {
  const schemas = (): JsonObject[] => {
    const found: JsonObject[] = [];
    const walk = (value: JsonValue): void => {
      if (value === null || typeof value !== 'object') return;
      if (Array.isArray(value)) value.forEach(walk);
      else {
        found.push(value);
        Object.values(value).forEach(walk);
      }
    };
    walk(description as unknown as JsonObject);
    return found;
  };
  const component = (name: string): JsonObject =>
    (description.components['schemas'] as Record<string, JsonObject>)[name] ?? {};

  test('every enumeration says its type, and nothing is a constant', () => {
    for (const schema of schemas()) {
      // A generator would use floating-point numbers.
      if (Array.isArray(schema['enum'])) {
        assert.ok(schema['type'] && schema['type'] !== 'number', canonicalize(schema));
      }
      assert.equal(schema['const'], undefined, canonicalize(schema));
    }
  });
  test('the choices of a set are named: what Java makes of nameless ones does not compile', () => {
    const sets = schemas().filter(({ uniqueItems }) => uniqueItems === true);
    assert.ok(sets.some(({ items }) => Object.hasOwn(items as JsonObject, '$ref')));
    for (const { items } of sets) assert.ok(!Object.hasOwn(items as JsonObject, 'enum'));
  });
  test('a nullable member has two types; only named objects are a choice', () => {
    for (const { anyOf } of schemas()) {
      const options = (anyOf ?? []) as JsonObject[];
      const rest = options.filter(({ type }) => type !== 'null');
      if (rest.length === options.length || rest.length > 1) continue;
      assert.ok(rest[0]?.['$ref'], canonicalize(options));
    }
  });
  test('every object with members is named, once', () => {
    const named = new Set(Object.values(description.components['schemas'] as JsonObject));
    const places = schemas().filter(({ properties, required }) => properties && required);
    // The own members of an object that extends others are inside its named schema.
    const own = new Set(schemas().flatMap(({ allOf = [] }) => allOf as JsonObject[]));
    const unnamed = places.filter((schema) => !named.has(schema) && !own.has(schema));
    assert.deepEqual(unnamed, []);
    // The own part is an object because those that it extends are.
    const typeless = places.filter(({ type }) => type !== 'object');
    assert.ok(typeless.every((schema) => own.has(schema) && !named.has(schema)));
    const texts = Object.values(description.components['schemas'] as JsonObject).map((schema) =>
      canonicalize(schema),
    );
    const twice = texts.filter((text, index) => texts.indexOf(text) !== index);
    assert.deepEqual(twice, []);
  });
  test('documents are called by their schema', () => {
    for (const [name, identifier] of [
      ['AgentLineage', 'NET-AGENT-LINEAGE/1'],
      ['CommitCertificate', 'NET-FINALITY-CERTIFICATE/1'],
      ['StatementCertificate', 'NET-FINALITY-CERTIFICATE/1'],
      ['WorkAudit', 'NET-WORK-AUDIT/1'],
    ] as const) {
      const { allOf, ...whole } = component(name);
      const own = (allOf as JsonObject[] | undefined)?.at(-1) ?? whole;
      const { schema } = own['properties'] as Record<string, JsonObject>;
      assert.deepEqual(schema, { type: 'string', enum: [identifier] }, name);
    }
  });
  test('an intent is one of those that each name one action and its payload', () => {
    const { oneOf } = component('Intent') as unknown as { oneOf: { $ref: string }[] };
    const names = [...ACTIONS.keys()].map((name) => `${capitalized(name)}Intent`);
    assert.deepEqual(
      new Set(oneOf.map(({ $ref }) => $ref)),
      new Set(names.map((name) => `#/components/schemas/${name}`)),
    );
    for (const name of ACTIONS.keys()) {
      const [envelope, own] = component(`${capitalized(name)}Intent`)['allOf'] as [
        JsonObject,
        JsonObject,
      ];
      assert.deepEqual(envelope, { $ref: '#/components/schemas/IntentEnvelope' });
      const { action, payload } = own['properties'] as JsonObject;
      assert.deepEqual(action, { type: 'string', enum: [name] });
      const { $ref, ...beside } = payload as JsonObject;
      assert.equal($ref, `#/components/schemas/${capitalized(name)}Payload`);
      // A payload that answers extend cannot be closed itself.
      const { $ref: named, ...whole } = component(`${capitalized(name)}Payload`);
      const { additionalProperties } =
        typeof named === 'string' ? component(named.split('/').at(-1) ?? '') : whole;
      assert.ok(
        additionalProperties !== undefined || beside['unevaluatedProperties'] === false,
        `${name} takes other members`,
      );
    }
  });
  test('an extended schema is open and has no nullable members: openapi-generator loses the null', () => {
    const extended = schemas().flatMap(({ allOf = [] }) => allOf as { $ref?: string }[]);
    const bases = extended.map(({ $ref = '' }) => $ref.split('/').at(-1) ?? '');
    for (const name of new Set(bases.filter(Boolean))) {
      assert.ok(!canonicalize(component(name)).includes('"null"'), name);
      assert.notEqual(component(name)['additionalProperties'], false, `nothing can extend ${name}`);
      assert.equal(component(name)['type'], 'object', name);
    }
  });
  test('no variant of a choice has a discriminator: generators drop the member it names', () => {
    assert.ok(schemas().every(({ discriminator }) => discriminator === undefined));
  });
  test('integers wider than 32 bits say so', () => {
    for (const name of ['Amount', 'Height', 'Unet']) {
      assert.equal(component(name)['format'], 'int64', name);
    }
    for (const [name, member] of [
      ['CustomToken', 'supply'],
      ['GenesisAccount', 'balance'],
      ['ProtectiveDelay', 'milliseconds'],
      ['StateCheckpoint', 'byteLength'],
      ['WorkSpan', 'milliseconds'],
    ] as const) {
      const { allOf, ...whole } = component(name);
      const own = (allOf as JsonObject[] | undefined)?.at(-1) ?? whole;
      const { [member]: schema } = own['properties'] as Record<string, JsonObject>;
      assert.equal(schema?.['format'], 'int64', `${name}.${member}`);
    }
    for (const { maximum, format } of schemas()) {
      if (Number(maximum) > 0x7fff_ffff) assert.equal(format, 'int64');
    }
  });
  test('it repeats nothing, and has not grown unnoticed', async () => {
    const { bytes } = await node.get('/openapi.json');
    // A new action or document brings its own share.
    const bound = 144_000 + 1_000 * ACTIONS.size + 3_000 * DOCUMENTS.length;
    assert.ok(
      bytes.length < bound,
      `${bytes.length} bytes of ${bound}: share a schema or shorten a sentence (docs/decisions/013)`,
    );
  });
});
