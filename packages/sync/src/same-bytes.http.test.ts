/** A follower's answers have the bytes of its origin's at the same height, while blocks are being made. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@netd/protocol';
import { GUIDES } from '@netd/server/testing';
import {
  A2A_PATH,
  comparedAnswer,
  comparedPaths,
  plainPaths,
  type Question,
} from '@netd/testkit/compared-answers';
import { hasReached, startFollower } from '@netd/testkit/start-follower';
import { documentRequests, type DocumentRequest } from '@netd/testkit/document-requests';
import { startGolden } from '@netd/testkit/golden-chain';
import type { HttpNode } from '@netd/testkit/http-node';
import { TOOL_CASES } from '@netd/testkit/tool-cases';
import { OWN_ANSWERS } from './own-answers.ts';

const DECISION = new URL('../../../docs/decisions/030-followers.md', import.meta.url);
/** A pair of requests fits between two blocks. */
const PAUSE_MILLISECONDS = 300;
const TRIES = 200;
const MANY = 100_000;

/** Returns the height in a document, or null if it has none. */
function heightIn(answer: string): number | null {
  const text = answer.slice(4);
  if (!text.startsWith('{')) return null;
  return (JSON.parse(text) as { height?: number }).height ?? null;
}

function pathOf({ document, parameters }: DocumentRequest): string {
  const query = new URLSearchParams();
  let path = document.route;
  for (const [name, value] of Object.entries(parameters)) {
    const inPath = `:${name}`;
    if (path.includes(inPath)) path = path.replace(inPath, encodeURIComponent(String(value)));
    else query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}

const rpc = (method: string, params: JsonObject = {}): Question => ({
  path: '/mcp',
  body: { jsonrpc: '2.0', id: 1, method, params },
});

const toolCalls = (): Question[] =>
  Object.entries(TOOL_CASES).flatMap(([name, cases]) =>
    cases.map(([given]) => rpc('tools/call', { name, arguments: given })),
  );

const a2a = (text: string): Question => ({
  path: A2A_PATH,
  body: { message: { messageId: 'm-1', contextId: 'c-1', role: 'ROLE_USER', parts: [{ text }] } },
});

const withoutQuery = (path: string): string => path.replace(/\?.*/, '');

/** Returns the requests for both: each comparable GET, and the POST requests of MCP and A2A. */
async function questionsFor(writer: HttpNode): Promise<Question[]> {
  const block = (await writer.document('/v1/blocks/1')) as {
    certificate: JsonObject;
    transitions: { transitionHash: string }[];
  };
  const { certificateHash } = (await writer.document('/v1/consensus/certificates/latest')) as {
    certificateHash?: string;
  };
  const { orders } = (await writer.document('/v1/work-orders?limit=3')) as {
    orders: { orderId: string }[];
  };
  const { validators } = (await writer.document('/v1/validators?limit=1')) as {
    validators: { validatorId: string }[];
  };
  const paths = [
    ...orders.flatMap(({ orderId }) => [
      ...['', '/brief', '/audit'].map((part) => `/v1/work-orders/${orderId}${part}`),
      `/a2a/v1/tasks/${orderId}`,
    ]),
    ...validators.map(({ validatorId }) => `/v1/validators/${validatorId}`),
    ...documentRequests().map(pathOf),
    ...GUIDES.map(({ name }) => `/docs/guides/${name}`),
    ...['?limit=50', '?agent=alice', '?type=AgentRegistered'].map((query) => `/v1/events${query}`),
    ...['agent/alice', 'agent/nobody'].map((key) => `/v1/state/proof?key=${key}`),
    '/v1/agents/alice/erc-8004.json',
    '/v1/blocks?limit=20',
    '/v1/blocks/1',
    '/v1/blocks/whole?heights=1,0',
    `/v1/transitions/${block.transitions[0]?.transitionHash}`,
    `/v1/consensus/certificates/${certificateHash}`,
  ];
  const asked = paths.map(withoutQuery);
  const others = (await plainPaths(writer)).filter((path) => !asked.includes(path));
  return [
    ...[...paths, ...others].map((path) => ({ path })),
    rpc('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }),
    rpc('tools/list'),
    ...toolCalls(),
    ...['status', 'join', 'work', 'tokens', 'replicas', 'safety', 'bob', 'o-1', '?'].map(a2a),
  ];
}

test('every document, page, tool, answer and download is the same on both, under load', async (t) => {
  const writer = await startGolden({ discoveryPerMinute: MANY });
  t.after(() => writer.stop());
  const follower = await startFollower(t, [writer.url], { discoveryPerMinute: MANY });
  await hasReached(follower, writer.height);
  const questions = await questionsFor(writer);
  const end = new AbortController();
  const load = (async () => {
    for (let i = 0; !end.signal.aborted; i++) {
      await writer.join(`load-${i}`);
      await delay(PAUSE_MILLISECONDS);
    }
  })();
  const from = writer.height;
  const answered = new Set<string>();
  try {
    for (const question of questions) {
      let [theirs, ours] = ['', ' '];
      // If a block comes in between, both requests are repeated.
      for (let tries = 0; theirs !== ours && tries < TRIES; tries++) {
        [theirs, ours] = (await Promise.all(
          [writer.url, follower.url].map((url) => comparedAnswer(url, question)),
        )) as [string, string];
        const [height, other] = [theirs, ours].map(heightIn);
        if (height !== null && height === other) break;
      }
      const name = `${question.path} ${JSON.stringify(question.body ?? '')}`;
      assert.equal(ours, theirs, name);
      if (question.body !== undefined) assert.match(ours, /^200 /, name);
      if (ours.startsWith('200 ')) answered.add(withoutQuery(question.path));
    }
  } finally {
    end.abort();
    await load;
  }
  assert.ok(writer.height > from + 2, 'blocks were made meanwhile');
  for (const template of await comparedPaths(writer)) {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    assert.ok(
      [...answered].some((path) => pattern.test(path)),
      `nothing was compared that ${template} answers`,
    );
  }
});

test('decision 030 shows the table of what is not the same', () => {
  // Matches items such as "- **`/health`, `/livez`**: the process", which may continue in the next line.
  const rows = [
    ...readFileSync(DECISION, 'utf8').matchAll(/^- \*\*(`\/[^*]*)\*\*: (.*(?:\n  .*)*)/gm),
  ].map(([, paths = '', because = '']) => ({
    paths: paths.replaceAll(/\s+/g, ' '),
    because: because.replaceAll(/\s+/g, ' '),
  }));
  assert.deepEqual(
    rows,
    OWN_ANSWERS.map(({ paths, because }) => ({
      paths: paths.map((path) => `\`${path}\``).join(', '),
      because,
    })),
  );
});
