/** Lies about the service: entry points, refusals, receipts, headers. */
import type { JsonObject } from '@netd/protocol';
import {
  at,
  code,
  dropFirst,
  empty,
  flipHash,
  header,
  inBody,
  missing,
  not,
  refusal,
  status,
  text,
  type Lie,
} from './lie.ts';

const MANIFEST = 'GET /v1/manifest';
const CARD = 'GET /.well-known/agent-card.json';
const CATALOG = 'GET /.well-known/ai-catalog.json';
const MCP_CARD = 'GET /.well-known/mcp/server-card.json';
const LLMS = 'GET /llms.txt';
const OPENAPI = 'GET /openapi.json';
const INTAKE = 'GET /.well-known/net-agent-intake.json';
const REGISTER = 'POST /v1/agents/register';
const INTENTS = 'POST /v1/intents';
const MCP = 'POST /mcp';
const A2A = 'POST /a2a/v1/message:send';
const COMPATIBILITY = 'GET /v1/wallet/compatibility';

const firstWords = (briefing: string): string => briefing.split(/\s+/).slice(0, 4).join(' ');

export const SERVICE_LIES: readonly Lie[] = [
  text('cut to four words', LLMS, ['discovery.llms'], firstWords),
  text('of another network', LLMS, ['discovery.llms.true'], (it) =>
    it.replaceAll(/chain net-[\w-]+/g, 'chain net-of-a-liar'),
  ),
  text('that sends its readers elsewhere', LLMS, ['discovery.llms.true'], (it) =>
    it.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://192.0.2.1'),
  ),
  text('with a path that is not there', LLMS, ['discovery.llms.true'], (it) =>
    it.replaceAll('/v1/agent-opportunities', '/v1/agent-chances'),
  ),
  text('with another payload', LLMS, ['discovery.llms.true'], (it) =>
    it.replaceAll('deliverableHash: ', 'resultHash: '),
  ),
  text('with a program that publishes no beacon', LLMS, ['discovery.llms.true'], (it) =>
    it.replaceAll("await act('publishBeacon'", "await read('/v1/network') && ({}"),
  ),
  text('without the artefacts it lacks', MANIFEST, ['discovery.all-artifacts'], (it) =>
    it.replaceAll('Operator handoff: ', ''),
  ),
  at('/clients', MANIFEST, ['discovery.all-artifacts'], ['without the first', dropFirst]),
  header(LLMS, 'content-type', 'text/html', ['discovery.llms']),
  text('of another network', MANIFEST, ['get.manifest'], (it) =>
    it.replaceAll(/"chainId":"[^"]+"/g, '"chainId":"another-chain"'),
  ),
  text('without the way in', MANIFEST, ['get.manifest'], (it) =>
    it.replaceAll('/v1/agents/register', '/v1/agents'),
  ),
  text('with a download that is not there', MANIFEST, ['discovery.other-artifacts'], (it) =>
    it.replaceAll('/downloads/net-join.mjs', '/downloads/net-gone.mjs'),
  ),
  text('with the hash of other bytes', MANIFEST, ['discovery.artifact-hashes'], (it) =>
    it.replace(/"sha256":"[0-9a-f]{64}"/, `"sha256":"${'0'.repeat(64)}"`),
  ),
  at('/supportedInterfaces', CARD, ['discovery.agent-card'], ['empty', empty]),
  at('/skills', CARD, ['discovery.agent-card'], ['missing', missing]),
  inBody('asks for a credential', CARD, ['discovery.agent-card'], (card) => {
    card['securitySchemes'] = { key: { type: 'apiKey' } };
  }),
  text('without the MCP server', CATALOG, ['discovery.catalog'], (it) =>
    it.replace('mcp-server-card+json', 'mcp-card'),
  ),
  text('leads to another node', MCP_CARD, ['discovery.mcp-card'], (it) =>
    it.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://192.0.2.1'),
  ),
  text('shuts everybody out', 'GET /robots.txt', ['discovery.robots'], (it) =>
    it.replace('Allow: /', 'Disallow: /'),
  ),
  code('GET /.well-known/security.txt', 'NO_SECURITY_CONTACT', ['discovery.security-contact']),
  header('GET /', 'link', null, ['discovery.links']),
  text('without its promise for codes', OPENAPI, ['versioning.policy'], (it) =>
    it.replaceAll('never renamed', 'renamed'),
  ),
  refusal('without the way out', 'POST /v1/memory/checkpoints', ['secure-mode.switch'], (it) =>
    it.replaceAll('--open', 'something'),
  ),
  at('/openapi', OPENAPI, ['versioning.openapi'], () => '3.0.0'),
  at('/info/version', OPENAPI, ['versioning.interface'], () => '9.9.9'),
  inBody('without an operation', OPENAPI, ['discovery.openapi'], (description) => {
    delete (description['paths'] as JsonObject)['/v1/intents'];
  }),
  inBody('with a key for reads', OPENAPI, ['auth.reads-carry-none'], (description) => {
    description['security'] = [{ key: [] }];
  }),
  text('without its links', INTAKE, ['get.agent-intake.links'], (it) =>
    it.replaceAll('/v1/agent-directory', '/v1/nothing'),
  ),
  inBody('mentions no other wallet', COMPATIBILITY, ['get.wallet.compatibility'], (document) => {
    for (const name of Object.keys(document)) {
      if (JSON.stringify(document[name]).includes('MetaMask')) delete document[name];
    }
  }),

  inBody('offers one tool', MCP, ['post.mcp.tools'], (answer) => {
    const { tools } = (answer['result'] ?? {}) as { tools?: unknown[] };
    if (!tools) return false;
    tools.length = 1;
    return true;
  }),
  inBody('offers a tool that writes', MCP, ['post.mcp.tools'], (answer) => {
    const { tools } = (answer['result'] ?? {}) as { tools?: JsonObject[] };
    const annotations = tools?.[0]?.['annotations'] as JsonObject | undefined;
    if (!annotations) return false;
    annotations['readOnlyHint'] = false;
    return true;
  }),
  at('/result/protocolVersion', MCP, ['versioning.mcp'], () => '2024-01-01'),
  status(MCP, [202, 200], ['post.mcp.notification']),
  at('/message/role', A2A, ['post.a2a'], () => 'ROLE_USER'),
  at('/message/parts', A2A, ['post.a2a'], ['empty', empty]),
  status(A2A, [429, 200], ['error.a2a-429']),
  header(A2A, 'retry-after', null, ['error.a2a-429']),

  status(REGISTER, [201, 200], ['post.register']),
  status(REGISTER, [409, 201], ['error.register-409.duplicate', 'error.register-409.signature']),
  status(REGISTER, [409, 400], ['error.register-409.signature']),
  status(INTENTS, [201, 202], ['post.intents']),
  status(INTENTS, [409, 201], ['error.intent-409']),
  status(INTENTS, [409, 400], ['error.intent-409']),
  at('/receipt/blockHash', INTENTS, ['post.intents'], flipHash),
  at('/receipt/transitionHash', INTENTS, ['post.intents'], flipHash),
  at('/receipt/height', INTENTS, ['post.intents'], (height) => Number(height) + 1),
  at('/receipt/certificateHash', INTENTS, ['post.intents'], flipHash),
  at('/receipt', INTENTS, ['post.intents'], ['missing', missing]),
  at('/receipt/blockHash', REGISTER, ['post.register'], flipHash),
  at('/receipt', REGISTER, ['post.register'], ['missing', missing]),
  header(INTENTS, 'content-type', 'text/plain', ['error.intent-409']),
  at('/open', 'GET /v1/network', ['auth.registration-signed', 'get.network'], not),
];
