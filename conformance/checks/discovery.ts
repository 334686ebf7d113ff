/** Entry points for agents and programs: A2A, MCP, the agent card, OpenAPI, llms.txt, downloads. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject } from '@netd/protocol';
import { check } from '../check.ts';
import { expectProblem, mentions, textOf } from '../expect.ts';
import type { Answer, Http } from '../http.ts';

const run = promisify(execFile);

const MCP_VERSION = '2025-11-25';
const JSON_HEADERS = { 'content-type': 'application/json' };
/** Requests above the default limit of 120 a minute. */
const FLOOD = 400;
const AT_ONCE = 20;

const call = (http: Http, message: JsonObject, patient = true): Promise<Answer> =>
  http.send(
    'POST',
    '/mcp',
    {
      headers: {
        ...JSON_HEADERS,
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': MCP_VERSION,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    },
    { patient },
  );

const initialize = (http: Http): Promise<Answer> =>
  call(http, {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: MCP_VERSION,
      capabilities: {},
      clientInfo: { name: 'conformance', version: '1' },
    },
  });

const send = (http: Http, text: string, patient = true): Promise<Answer> =>
  http.send(
    'POST',
    '/a2a/v1/message:send',
    {
      headers: JSON_HEADERS,
      body: JSON.stringify({
        message: { messageId: 'conformance-1', role: 'ROLE_USER', parts: [{ text }] },
      }),
    },
    { patient },
  );

/** Reads for visiting agents, by tool name without its prefix. */
const TOOLS = [
  'network_status',
  'mainnet_readiness',
  'join_instructions',
  'agent_startup_brief',
  'agent_trust_report',
  'agent_seeding',
  'agent_lineage',
  'agent_operations',
  'agent_decision_dossier',
  'match_agent_work',
  'agent_opportunities',
  'agent_growth_control',
  'list_agent_capabilities',
  'work_audit',
  'work_brief',
  'list_open_work',
  'list_replicas',
  'contribution_pipeline',
];

/** Repeats a request until it is rate-limited, and returns that answer. */
async function flood(ask: () => Promise<Answer>): Promise<Answer> {
  for (let asked = 0; asked < FLOOD; asked += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, ask));
    const refused = answers.find(({ status }) => status === 429);
    if (refused) return refused;
  }
  throw new Error(`${FLOOD} requests in a row, and none was too many`);
}

export const DISCOVERY_CHECKS = [
  check(
    'the agent card speaks A2A v1 and asks for no credential',
    ['discovery.agent-card', 'versioning.a2a'],
    async ({ http }) => {
      const card = await http.document('/.well-known/agent-card.json');
      const interfaces = card['supportedInterfaces'] as JsonObject[];
      assert.ok(interfaces.some(({ url }) => textOf(url).endsWith('/a2a/v1')));
      assert.ok(interfaces.some(({ protocolVersion }) => /^1(\.|$)/.test(textOf(protocolVersion))));
      for (const member of ['name', 'description', 'version', 'capabilities', 'skills']) {
        assert.notEqual(card[member], undefined, `the card has no ${member}`);
      }
      assert.equal(card['securitySchemes'], undefined);
    },
  ),

  check(
    'A2A answers a message with a message',
    ['post.a2a', 'service.agent-protocols', 'versioning.a2a', 'versioning.unprefixed'],
    async ({ http }) => {
      const answer = await send(http, 'What is the status of the network?');
      assert.equal(answer.status, 200);
      const message = answer.body['message'] as JsonObject;
      assert.equal(message['role'], 'ROLE_AGENT');
      const parts = message['parts'] as JsonObject[];
      assert.ok(parts.some(({ text }) => typeof text === 'string' && text.length > 0));
      const { chainId } = await http.document('/v1/network');
      assert.ok(mentions(parts, textOf(chainId)), 'the answer does not say which network it is');
    },
  ),

  check(
    'MCP agrees on 2025-11-25 and answers requests',
    ['post.mcp', 'versioning.mcp', 'service.agent-protocols', 'versioning.unprefixed'],
    async ({ http }) => {
      const answer = await initialize(http);
      assert.equal(answer.status, 200);
      const result = answer.body['result'] as JsonObject;
      assert.equal(result['protocolVersion'], MCP_VERSION);
      const ping = await call(http, { id: 2, method: 'ping' });
      assert.deepEqual(ping.body, { jsonrpc: '2.0', id: 2, result: {} });
    },
  ),

  check(
    'MCP takes a notification with 202 and no body',
    ['post.mcp.notification', 'error.mcp-202'],
    async ({ http }) => {
      const answer = await call(http, { method: 'notifications/initialized' });
      assert.deepEqual([answer.status, answer.text], [202, '']);
    },
  ),

  check(
    'the tools of MCP only read, and one of them answers',
    ['post.mcp.tools', 'service.agent-protocols'],
    async ({ http }) => {
      const answer = await call(http, { id: 3, method: 'tools/list' });
      const tools = (answer.body['result'] as JsonObject)['tools'] as JsonObject[];
      const names = tools.map(({ name }) => textOf(name));
      const missing = TOOLS.filter((name) => !names.includes(`net_${name}`));
      assert.deepEqual(missing, [], 'what a visiting agent needs has no tool');
      for (const { name, annotations } of tools) {
        const { readOnlyHint, destructiveHint = false } = (annotations ?? {}) as JsonObject;
        assert.deepEqual([readOnlyHint, destructiveHint], [true, false], textOf(name));
      }
      const called = await call(http, {
        id: 4,
        method: 'tools/call',
        params: { name: 'net_network_status', arguments: {} },
      });
      const { chainId } = await http.document('/v1/network');
      assert.ok(mentions(called.body, textOf(chainId)));
    },
  ),

  check(
    'the catalogue leads to doors that are there, and the card to MCP',
    ['discovery.catalog', 'discovery.mcp-card', 'versioning.unprefixed'],
    async ({ http }) => {
      const { publicUrl } = await http.document('/v1/manifest');
      const here = (url: unknown): string => {
        assert.ok(
          textOf(url).startsWith(`${textOf(publicUrl)}/`),
          `${textOf(url)} is not this node`,
        );
        return textOf(url).slice(textOf(publicUrl).length);
      };
      const catalog = await http.get('/.well-known/ai-catalog.json');
      assert.match(textOf(catalog.headers.get('content-type')), /^application\/ai-catalog\+json/);
      assert.match(textOf(catalog.body['specVersion']), /^1\.\d+$/);
      const entries = catalog.body['entries'] as JsonObject[];
      const types = entries.map(({ type }) => type);
      for (const kind of ['mcp-server-card', 'a2a-agent-card']) {
        assert.ok(types.includes(`application/${kind}+json`), `it lists no ${kind}`);
      }
      for (const { url } of entries) {
        assert.equal((await http.get(here(url))).status, 200, textOf(url));
      }
      const card = await http.get('/.well-known/mcp/server-card.json');
      assert.match(textOf(card.body['name']), /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
      const [remote] = card.body['remotes'] as JsonObject[];
      assert.equal(here(remote?.['url']), '/mcp');
      assert.ok(mentions(card.body, MCP_VERSION), 'it does not name the version that is served');
    },
  ),

  check(
    'crawlers find /robots.txt, and finders of a hole security.txt',
    ['discovery.robots', 'discovery.security-contact'],
    async ({ http }) => {
      const robots = await http.get('/robots.txt');
      assert.equal(robots.status, 200);
      assert.match(robots.text, /^User-agent: \*$/m);
      assert.doesNotMatch(robots.text, /^Disallow: \/$/m);
      const security = await http.get('/.well-known/security.txt');
      if (security.status === 404) {
        expectProblem(security, 404, 'NO_SECURITY_CONTACT');
        return;
      }
      assert.match(security.text, /^Contact: (mailto:|https:\/\/|tel:)/m);
      const [, expires = ''] = /^Expires: (.+)$/m.exec(security.text) ?? [];
      assert.ok(Date.parse(expires) > Date.now(), 'it has expired');
    },
  ),

  check('/ links to what describes it', ['discovery.links'], async ({ http }) => {
    const { headers } = await http.get('/');
    const links = textOf(headers.get('link') ?? '');
    for (const [target, relation] of [
      ['/openapi.json', 'service-desc'],
      ['/.well-known/ai-catalog.json', 'ai-catalog'],
    ]) {
      assert.ok(links.includes(`<${target}>; rel="${relation}"`), `it has no ${relation}`);
    }
  }),

  check('the description says what may change', ['versioning.policy'], async ({ http }) => {
    const { info } = await http.describe();
    assert.match(textOf(info.description), /gain members/);
    assert.match(textOf(info.description), /never renamed/);
  }),

  check(
    'the description has every path of the interface',
    ['discovery.openapi'],
    async ({ http }) => {
      const { paths } = await http.describe();
      const missing = INTERFACE_PATHS.filter(([method, path]) => !paths[path]?.[method]);
      assert.equal(missing.map((names) => names.join(' ')).join(', '), '');
    },
  ),

  check(
    'the description says its versions, and has no place for a private key',
    [
      'versioning.interface',
      'versioning.openapi',
      'versioning.prefix',
      'service.onboarding.no-private-key',
    ],
    async ({ http }) => {
      const { openapi, info, paths } = await http.describe();
      assert.equal(openapi, '3.1.0');
      assert.equal(info.version, '0.13.1');
      for (const path of Object.keys(paths)) {
        assert.match(
          path,
          /^\/(v1\/|a2a\/v1|mcp$|\.well-known\/|downloads\/|docs|health$|livez$|readyz$|metrics$|openapi\.json$|llms\.txt$|robots\.txt$|$)/,
        );
      }
      assert.doesNotMatch(JSON.stringify(paths), /"(privateKey|secretKey|mnemonic)"/);
    },
  ),

  check(
    'no read declares a credential, a body, or a parameter for a key',
    ['auth.reads-carry-none', 'reads.take-no-keys'],
    async ({ http }) => {
      const { security = [], paths, components } = await http.describe();
      assert.deepEqual(security, []);
      for (const [path, { get }] of Object.entries(paths)) {
        if (!get) continue;
        assert.deepEqual(get.security ?? [], [], path);
        assert.equal(get.requestBody, undefined, path);
        for (const parameter of get.parameters ?? []) {
          const known =
            '$ref' in parameter
              ? components.parameters?.[parameter.$ref.split('/').at(-1) ?? '']
              : parameter;
          assert.ok(known, path);
          const { name, in: where } = known;
          assert.notEqual(where, 'cookie', path);
          // A2A's list has a page cursor of its own; it grants nothing.
          if (path === '/a2a/v1/tasks' && name === 'pageToken') continue;
          assert.doesNotMatch(
            name,
            /authorization|api-?key|private|secret|signature|token$/i,
            path,
          );
        }
      }
    },
  ),

  check(
    'llms.txt is a compact briefing with everything that an agent needs to act',
    ['discovery.llms'],
    async ({ http }) => {
      const answer = await http.get('/llms.txt');
      assert.equal(answer.status, 200);
      assert.match(textOf(answer.headers.get('content-type')), /^text\/plain/);
      assert.ok(answer.text.length < 32_768, `${answer.text.length} characters are not compact`);
      for (const needed of ['/v1/agents/register', '/v1/intents', 'publicKeyHash', 'signature']) {
        assert.ok(answer.text.includes(needed), `it does not mention ${needed}`);
      }
    },
  ),

  check('what llms.txt says is so', ['discovery.llms.true'], async ({ http }) => {
    const { text } = await http.get('/llms.txt');
    const { chainId } = await http.document('/v1/network');
    assert.ok(text.includes(`chain ${textOf(chainId)}\n`), 'it names another chain');
    const { publicUrl } = await http.document('/v1/manifest');
    for (const [found] of text.matchAll(/https?:\/\/[^\s/,;'"`)]+/g)) {
      const url = found.replace(/\.$/, '');
      const isExample = url.endsWith('.example');
      assert.ok(isExample || textOf(publicUrl).startsWith(url), `${url} is not this node`);
    }
    const { paths } = (await http.document('/openapi.json')) as { paths: JsonObject };
    const known = Object.keys(paths).map((path) => path.replaceAll(/\{[^}]*\}/g, '{}'));
    for (const [, path = ''] of text.matchAll(/(?<![\w}])(\/(?:v1|a2a)\/[\w/{}:.-]*[\w}])/g)) {
      // The document names A2A by a prefix of its operations.
      const named = path.replaceAll(/\{[^}]*\}/g, '{}');
      const isThere = known.some((one) => one === named || one.startsWith(`${named}/`));
      assert.ok(isThere, `${path} is not there`);
    }
    for (const { name, payload } of ACTIONS) {
      const line = text.split('\n').find((one) => one.startsWith(`- ${name} {`));
      if (line === undefined) continue;
      for (const member of payload.required ?? []) {
        assert.match(line, new RegExp(`\\b${member}: `), `${name} has no ${member}`);
      }
      for (const [, member = ''] of topLevel(line).matchAll(/(\w+)\??: /g)) {
        assert.ok(member in payload.properties, `${name} takes no ${member}`);
      }
    }
  }),

  check('the program of llms.txt joins and is found', ['discovery.llms.true'], async (net) => {
    const { text } = await net.http.get('/llms.txt');
    const [, program] = /```js\n([^]*?)```/.exec(text) ?? [];
    assert.ok(program, 'it has no program');
    const actorId = net.fresh('reader');
    const directory = mkdtempSync(join(tmpdir(), 'netd-conformance-'));
    try {
      writeFileSync(join(directory, 'agent.mjs'), program);
      const env = { PATH: process.env['PATH'], NET_URL: net.writer, NET_ID: actorId };
      await run(process.execPath, ['agent.mjs'], { cwd: directory, env, timeout: 60_000 });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
    await net.http.heard();
    const found = await net.http.document(`/v1/discovery?agentId=${actorId}`);
    assert.equal((found['beacons'] as unknown[]).length, 1);
  }),
];

interface ActionSchema {
  name: string;
  payload: { required?: string[]; properties: JsonObject };
}
/** The actions of this version's contract. */
const ACTIONS = (
  JSON.parse(readFileSync(new URL('../../contract/actions.json', import.meta.url), 'utf8')) as {
    actions: ActionSchema[];
  }
).actions.filter(({ payload }) => payload.properties !== undefined);

/** Returns the members of a payload, without nested ones. */
function topLevel(line: string): string {
  let text = line.slice(line.indexOf('{') + 1, line.lastIndexOf('}'));
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replaceAll(/\{[^{}]*\}/g, '');
  }
  return text.replaceAll(/"[^"]*"/g, '');
}

/** These run last, because the rate limit then delays further requests. */
export const RATE_CHECKS = [
  check(
    'too many messages to A2A are 429, in the words of A2A',
    ['error.a2a-429', 'limit.rate'],
    async ({ http }) => {
      const { body, headers } = await flood(() => send(http, 'status', false));
      assert.ok(Number(headers.get('retry-after')) >= 1);
      assert.equal((body['error'] as JsonObject)['code'], 429);
    },
  ),
  check(
    'too many requests to MCP are 429, in the words of JSON-RPC',
    ['error.mcp-429', 'limit.rate'],
    async ({ http }) => {
      const { body, headers } = await flood(() => call(http, { id: 5, method: 'ping' }, false));
      assert.ok(Number(headers.get('retry-after')) >= 1);
      assert.equal(body['jsonrpc'], '2.0');
      assert.notEqual(body['error'], undefined);
    },
  ),
];

const INTERFACE_PATHS: [method: string, path: string][] = [
  ...[
    '/health',
    '/v1/manifest',
    '/v1/agent-startup',
    '/v1/network',
    '/v1/consensus/certificates/latest',
    '/v1/consensus/certificates/{certificateHash}',
    '/v1/consensus/validator-set',
    '/v1/state/checkpoint',
    '/v1/state/chunks/{index}',
    '/v1/blocks',
    '/v1/chain/verify',
    '/v1/token',
    '/v1/tokenomics',
    '/v1/replicas',
    '/v1/wallet/releases',
    '/v1/wallet/compatibility',
    '/v1/topology',
    '/v1/validation',
    '/v1/mainnet/readiness',
    '/v1/wallet/distribution-attestations',
    '/v1/protocol/releases',
    '/v1/nodes',
    '/v1/agent-trust',
    '/v1/agent-growth',
    '/v1/agent-seeding',
    '/.well-known/net-agent-intake.json',
    '/v1/agent-lineage/{agentId}',
    '/v1/agents',
    '/v1/agents/{agentId}/operations',
    '/v1/agents/{agentId}/decision-dossier',
    '/v1/agents/{agentId}/work-match',
    '/v1/agent-opportunities',
    '/v1/referrals',
    '/v1/discovery',
    '/v1/agent-directory',
    '/v1/agent-messages',
    '/v1/memory/checkpoints',
    '/v1/memory/handovers',
    '/v1/protocol/contributions',
    '/v1/operator-applications',
    '/v1/work-orders',
    '/v1/work-orders/{orderId}',
    '/v1/work-orders/{orderId}/brief',
    '/v1/work-orders/{orderId}/audit',
    '/v1/tokens',
    '/v1/tokens/{tokenId}',
    '/.well-known/agent-card.json',
    '/openapi.json',
    '/llms.txt',
    '/downloads/net-join.mjs',
  ].map((path): [string, string] => ['get', path]),
  ...[
    '/v1/agents/register',
    '/v1/intents',
    '/v1/operator-applications',
    '/v1/operator-invitations/claim',
    '/v1/memory/checkpoints',
    '/v1/memory/handovers',
    '/v1/protocol/contributions',
    '/v1/work-orders',
    '/a2a/v1/message:send',
    '/mcp',
  ].map((path): [string, string] => ['post', path]),
];
