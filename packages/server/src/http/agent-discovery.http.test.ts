/** The files a visiting agent reads first: manifest, llms.txt, the docs page, and their links. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  ACTIONS,
  AGENT_BASE_SET,
  AGENT_POLICY_SET,
  APPLICATION_PROFILES,
  ROLE_SETS,
} from '@netd/ledger';
import {
  canonicalize,
  InvitationClaim,
  OperatorApplication,
  type JsonObject,
  type JsonValue,
} from '@netd/protocol';
import { assertProblem, HttpNode, operationOf, type Description } from '@netd/testkit/http-node';
import { tempDir } from '@netd/testkit/temp-dir';
import { EXAMPLE_PROGRAM } from '../discovery/llms-text.ts';
import { GUIDES } from '../guides.ts';
import { DOCUMENTS } from '@netd/documents';

let node: HttpNode;
let description: Description;
before(async () => {
  node = await HttpNode.start({ publicUrl: 'https://net.example/' });
  description = await node.description();
  await node.join('alice');
  await node.join('bob', { referrerAgentId: 'alice' });
});
after(() => node.stop());

const operationIds = (): string[] =>
  Object.values(description.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );

describe('GET /v1/manifest', () => {
  test('names every operation of the description once, under its topic', async () => {
    const manifest = await node.document('/v1/manifest');
    const topics = manifest['endpoints'] as { operations: { operationId: string }[] }[];
    const named = topics.flatMap(({ operations }) => operations.map((it) => it.operationId));
    assert.deepEqual(named.toSorted(), operationIds().toSorted());
  });
  test('shows the public URL as configured, the sets and the deviations', async () => {
    const manifest = await node.document('/v1/manifest');
    assert.equal(manifest['publicUrl'], 'https://net.example');
    const sets = manifest['capabilitySets'] as JsonObject;
    assert.deepEqual(sets['agentBase'], AGENT_BASE_SET);
    assert.deepEqual(sets['agentPolicy'], AGENT_POLICY_SET);
    assert.deepEqual(sets['roles'], ROLE_SETS);
    assert.deepEqual(
      (manifest['actions'] as { action: string }[]).map(({ action }) => action),
      [...ACTIONS.keys()],
    );
    assert.ok((manifest['deviations'] as unknown[]).length >= 8);
    const clients = manifest['clients'] as { path: string }[];
    assert.ok(clients.some(({ path }) => path === '/downloads/net-join.mjs'));
  });
  test('is the same for every Host that asks', async () => {
    const [one, other] = await Promise.all([
      node.get('/v1/manifest'),
      node.get('/v1/manifest', { host: 'evil.example', 'x-forwarded-host': 'evil.example' }),
    ]);
    assert.equal(one.text, other.text);
    assert.ok(!one.text.includes('evil'));
  });
});

describe('GET /llms.txt', () => {
  test('is plain text below 16.6 KB, with a tag', async (t) => {
    const answer = await node.get('/llms.txt');
    assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
    const { length } = answer.bytes;
    t.diagnostic(`/llms.txt: ${length} bytes, about ${Math.round(length / 4)} tokens`);
    assert.ok(length < 16_600, String(length));
    const again = await node.get('/llms.txt', { 'if-none-match': String(answer.headers.etag) });
    assert.deepEqual([again.status, again.text], [304, '']);
    assert.match(answer.text, /chain net-http-test/);
    assert.doesNotMatch(answer.text, /undefined|\[object|NaN/);
  });
  test('is ordered by what a visiting agent does first', async () => {
    const { text } = await node.get('/llms.txt');
    assert.deepEqual(
      [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title),
      ['Look', 'Join', 'Act', 'Hire, within a budget', 'When refused', 'Other roles'],
    );
    const paths = [...text.matchAll(/^- (\/[^?:]*)/gm)].map(([, path = '']) => path);
    assert.ok(paths.length > 10);
    for (const path of paths) {
      assert.ok(operationOf(description, 'GET', path.replaceAll(/\{[^}]+\}/g, 'x')), path);
    }
  });
  test('lists every action an agent can have', async () => {
    const { text } = await node.get('/llms.txt');
    for (const name of AGENT_POLICY_SET) {
      if (ACTIONS.has(name)) assert.ok(text.includes(`\n- ${name} {`), name);
    }
  });
  test('says what an application for each role is made of', async () => {
    const { text } = await node.get('/llms.txt');
    for (const [role, profile] of Object.entries(APPLICATION_PROFILES)) {
      if (role === 'AGENT' || role === 'HUMAN') continue;
      const line = text.split('\n').find((it) => it.startsWith(`- ${role}: profile {`)) ?? '';
      for (const name of Object.keys(
        (profile as unknown as JsonObject)['properties'] as JsonObject,
      ))
        assert.ok(line.includes(`${name}: `), name);
      for (const action of ROLE_SETS[role as keyof typeof ROLE_SETS]) {
        assert.ok(line.includes(action), `${role} ${action}`);
      }
    }
    for (const { properties } of [OperatorApplication, InvitationClaim]) {
      const names = Object.keys(properties);
      assert.ok(
        text.split('\n').some((line) => names.every((name) => line.includes(name))),
        names.join(),
      );
    }
  });
  test('holds a program that works as it stands, and again, and not under a name that is taken', async () => {
    const { text } = await node.get('/llms.txt');
    assert.ok(text.includes(EXAMPLE_PROGRAM));
    const directory = tempDir({ after });
    writeFileSync(join(directory, 'agent.mjs'), EXAMPLE_PROGRAM);
    const first = await run(directory, 'reader');
    assert.equal(first.code, 0, first.output);
    const { beacons } = (await node.document('/v1/discovery?agentId=reader')) as unknown as {
      beacons: { endpoint: string }[];
    };
    assert.equal(beacons[0]?.endpoint, 'https://agent.example/a2a');
    const second = await run(directory, 'reader');
    assert.equal(second.code, 0, second.output);
    assert.match(second.output, /^has joined before$/m);
    const taken = await run(directory, 'alice');
    assert.notEqual(taken.code, 0);
    assert.match(taken.output, /SIGNATURE_INVALID/);
  });
  test('tells how to fetch a scope, and how to upload a result by hand', async () => {
    const { text } = await node.get('/llms.txt');
    assert.match(text, /GET \{endpoint\}\/blobs\/\{scopeHash\}/);
    assert.match(text, /before submitWorkResult, .*PUT \{endpoint\}\/blobs\/\{deliverableHash\}/);
  });
  test('lists the guides in their order', async () => {
    const { text } = await node.get('/llms.txt');
    const names = GUIDES.map(({ name }) => name).join(', ');
    assert.ok(text.includes(`below /docs/guides/: ${names}.\n`));
  });

  function run(cwd: string, id: string): Promise<{ code: number | null; output: string }> {
    return new Promise((resolve) => {
      const env = { PATH: process.env['PATH'] ?? '', NET_URL: node.url, NET_ID: id };
      const child = spawn(process.execPath, ['agent.mjs'], { cwd, env });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (part: Buffer) => (output += part.toString()));
      }
      child.on('close', (code) => resolve({ code, output }));
    });
  }
});

/** Removes the inline icon. Nothing else may be linked in a page's head. */
function withoutIcon(html: string): string {
  const icon = /<link rel="icon" href="data:image\/svg\+xml,[^"]+">/;
  assert.match(html, icon);
  return html.replace(icon, '');
}

test('every link of the page at / is answered', async () => {
  const { text: html } = await node.get('/');
  const links = [...withoutIcon(html).matchAll(/href="\.?([^"]+)"/g)].map(([, href = '']) => href);
  for (const wanted of ['/docs', '/llms.txt', '/v1/manifest', '/v1/agent-startup']) {
    assert.ok(links.includes(wanted), wanted);
  }
  for (const href of links) assert.equal((await node.get(href)).status, 200, href);
});

describe('bad parameters of documents', () => {
  test('operations of an id that none could be are not found either', async () => {
    for (const id of ['-x', '%00', 'a%2Fb', 'x'.repeat(500)]) {
      assertProblem(await node.get(`/v1/agents/${id}/operations`), 404, 'AGENT_NOT_FOUND');
    }
  });
  test('an inviter that is no agent is answered all the same', async () => {
    for (const path of ['/v1/agent-seeding', '/.well-known/net-agent-intake.json']) {
      const { inviter } = (await node.document(`${path}?inviter=%00%F0%9F%92%A9`)) as {
        inviter: JsonObject;
      };
      assert.equal(inviter['verified'], false);
    }
  });
});

test('every path that a document names is one of this server', async () => {
  const texts = await Promise.all(
    DOCUMENTS.filter(({ path }) => Object.keys(path.properties).every((name) => name === 'agentId'))
      .map(({ route }) => route.replace(':agentId', 'bob'))
      .concat('/v1/manifest')
      .map((path) => node.document(path)),
  );
  const paths = new Set(texts.flatMap((text) => [...pathsIn(text)]));
  assert.ok(paths.size > 40);
  for (const path of paths) {
    if (path.includes('{')) continue;
    const isKnown = operationOf(description, 'GET', path) ?? operationOf(description, 'POST', path);
    assert.ok(isKnown, path);
  }
});

test('every path in llms.txt and in the agent skill is one of this node', async () => {
  const skill = new URL('../../../../handouts/agent-skill/SKILL.md', import.meta.url);
  const texts = [(await node.get('/llms.txt')).text, readFileSync(skill, 'utf8')];
  const named = texts.flatMap((text) =>
    [
      ...text.matchAll(
        /(?<![\w.:/}>-])\/(?:v1|docs|downloads|\.well-known|openapi|llms)\b[\w./:{}-]*/g,
      ),
    ].map(([path]) => path),
  );
  // A path after a name in braces, as in {endpoint}/blobs, belongs to another server.
  const paths = new Set(
    named.map((path) => path.replace(/[.:/]+$/, '').replaceAll(/\{\w+\}/g, 'x')),
  );
  assert.ok(paths.size > 20, [...paths].join(' '));
  for (const path of paths) {
    const answers = [await node.get(path), await node.post(path, '{}')];
    assert.ok(!answers.every(({ text }) => text.includes('ROUTE_NOT_FOUND')), path);
  }
});

test('links to schemas lead into /openapi.json', async () => {
  const text = canonicalize([
    await node.document('/v1/agent-startup'),
    await node.document('/v1/manifest'),
  ]);
  const names = [...text.matchAll(/"\/openapi\.json#\/components\/schemas\/([^"]+)"/g)];
  assert.ok(names.length > ACTIONS.size);
  for (const [, name = ''] of names) {
    assert.ok(Object.hasOwn(description.components['schemas'] as JsonObject, name), name);
  }
});

/** Yields texts that are just a path, without query and fragment. */
function* pathsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') {
    if (/^\/(v1|a2a|mcp|docs|llms|openapi|\.well-known|downloads)[^\s]*$/.test(value)) {
      yield value.split(/[?#]/)[0] ?? '';
    }
  } else if (value !== null && typeof value === 'object') {
    for (const member of Object.values(value)) yield* pathsIn(member);
  }
}
