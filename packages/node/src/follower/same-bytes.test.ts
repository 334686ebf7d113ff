/** A copy answers what its origin answers at the same height, byte for byte, while blocks are being made. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@netd/protocol';
import { DOCUMENTS } from '../documents/registry.ts';
import { serveFollower } from '../serve.ts';
import { HttpNode } from '../testing/http-node.ts';
import { tempDir } from '../testing/temp-dir.ts';

/** Between two of them a pair of questions fits. */
const PAUSE_MILLISECONDS = 300;
const TRIES = 200;

interface Question {
  name: string;
  path: string;
  /** Posted; without it, a GET. */
  body?: JsonObject;
}

const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

async function answerOf(url: string, { path, body }: Question): Promise<string> {
  const response = await fetch(
    url + path,
    body === undefined
      ? { headers: { accept: 'application/json' } }
      : { method: 'POST', headers: MCP_HEADERS, body: JSON.stringify(body) },
  );
  return `${response.status} ${await response.text()}`;
}

/** Of a document; null where it names none. */
function heightIn(answer: string): number | null {
  const text = answer.slice(4);
  if (!text.startsWith('{')) return null;
  return (JSON.parse(text) as { height?: number }).height ?? null;
}

const toolCall = (name: string): Question => ({
  name: `MCP ${name}`,
  path: '/mcp',
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } },
});

test('every document, page of events, tool and download is the same on both, under load', async (t) => {
  const writer = await HttpNode.start();
  t.after(() => writer.stop());
  for (const name of ['alice', 'bob']) await writer.join(name);
  const copy = await serveFollower({
    host: '127.0.0.1',
    port: 0,
    dataDir: tempDir(t),
    origins: [writer.url],
  });
  t.after(() => copy.stop());
  const end = new AbortController();
  const load = (async () => {
    for (let i = 0; !end.signal.aborted; i++) {
      await writer.join(`load-${i}`);
      await delay(PAUSE_MILLISECONDS);
    }
  })();
  const from = writer.height;
  const questions: Question[] = [
    ...DOCUMENTS.filter(({ route }) => !route.includes(':')).map(({ route }) => ({
      name: route,
      path: route,
    })),
    ...['/v1/agents/alice', '/v1/agents/bob/operations', '/v1/agents/bob/decision-dossier'].map(
      (path) => ({ name: path, path }),
    ),
    { name: 'blocks', path: '/v1/blocks?limit=20' },
    { name: 'events', path: '/v1/events?limit=50' },
    { name: 'certificate', path: '/v1/consensus/certificates/latest' },
    { name: 'proof', path: '/v1/state/proof?key=agent/alice' },
    toolCall('net_agent_trust_report'),
    toolCall('net_list_replicas'),
    { name: 'MCP tools', path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  ];
  const { clients = [] } = (await writer.document('/v1/manifest')) as {
    clients?: { path?: string; url?: string }[];
  };
  for (const { path, url } of clients) {
    const where = path ?? (url ? new URL(url, writer.url).pathname : null);
    if (where !== null) questions.push({ name: where, path: where });
  }
  try {
    for (const question of questions) {
      let [theirs, ours] = ['', ' '];
      // Blocks come in between: then both are asked again.
      for (let tries = 0; theirs !== ours && tries < TRIES; tries++) {
        [theirs, ours] = (await Promise.all(
          [writer.url, copy.url].map((url) => answerOf(url, question)),
        )) as [string, string];
        const [height, other] = [theirs, ours].map(heightIn);
        if (height !== null && height === other) break;
      }
      assert.equal(ours, theirs, question.name);
      assert.match(ours, /^200 /, question.name);
    }
  } finally {
    end.abort();
    await load;
  }
  assert.ok(writer.height > from + 2, 'blocks were made meanwhile');
});
