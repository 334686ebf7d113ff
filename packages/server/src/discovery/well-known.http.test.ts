/** Checks the documents at well-known paths against the specifications of those paths. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { HttpNode, type Answer } from '@netd/testkit/http-node';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { securityText } from './well-known.ts';

let node: HttpNode;

before(async () => {
  node = await HttpNode.start({ securityContact: 'mailto:security@example.org' });
});
after(() => node.stop());

const typeOf = ({ headers }: Answer): string => String(headers['content-type']);

describe('the MCP server card', () => {
  test('conforms to the schema of the draft, and leads to the endpoint', async () => {
    const answer = await node.get('/.well-known/mcp/server-card.json');
    assert.match(typeOf(answer), /^application\/mcp-server-card\+json/);
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    const card = JSON.parse(answer.text) as {
      name: string;
      version: string;
      remotes: { url: string; supportedProtocolVersions: string[] }[];
    };
    const schema = JSON.parse(
      readFileSync(new URL('testing/server-card.schema.json', import.meta.url), 'utf8'),
    ) as object;
    const validate = new Ajv2020({ strict: false }).compile(schema);
    assert.ok(validate(card), JSON.stringify(validate.errors));
    assert.equal(card.name, '127.0.0.1/netd');
    const [remote] = card.remotes;
    assert.equal(remote?.url, `${node.running.publicUrl}/mcp`);
    const pointer = await node.document('/.well-known/mcp.json');
    assert.deepEqual(remote.supportedProtocolVersions, pointer['protocolVersions']);
    const { body } = await node.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' });
    assert.deepEqual(body['result'], {});
  });
});

interface Entry {
  identifier: string;
  type: string;
  url?: string;
  data?: unknown;
  displayName?: string;
}

describe('the AI catalogue', () => {
  test('lists what is here, each under the type that its address answers with', async () => {
    const answer = await node.get('/.well-known/ai-catalog.json');
    assert.match(typeOf(answer), /^application\/ai-catalog\+json/);
    const catalog = JSON.parse(answer.text) as { specVersion: string; entries: Entry[] };
    assert.equal(catalog.specVersion, '1.0');
    const identifiers = catalog.entries.map(({ identifier }) => identifier);
    assert.equal(new Set(identifiers).size, identifiers.length);
    for (const { identifier, type, url, data, displayName } of catalog.entries) {
      assert.ok(displayName, identifier);
      assert.match(identifier, /^urn:air:127\.0\.0\.1:(mcp|a2a|skill):netd$/);
      assert.ok(url !== undefined && data === undefined, identifier);
      assert.ok(url.startsWith(node.running.publicUrl), url);
      const found = await node.get(url.slice(node.running.publicUrl.length));
      assert.equal(found.status, 200, url);
      if (type.includes('mcp')) assert.ok(typeOf(found).startsWith(type), type);
    }
    assert.ok(catalog.entries.some(({ type }) => type === 'application/a2a-agent-card+json'));
  });
});

test('robots.txt is rules of RFC 9309', async () => {
  const answer = await node.get('/robots.txt');
  assert.equal(typeOf(answer), 'text/plain; charset=utf-8');
  for (const line of answer.text.trim().split('\n')) {
    assert.match(line, /^(#.*|User-agent: \*|(Allow|Disallow): \/\S*)$/);
  }
});

/** Parses a security.txt. @throws AssertionError if the text breaks RFC 9116 section 2 */
function readSecurityText(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  assert.ok(text.endsWith('\n'));
  for (const line of text.trimEnd().split('\n')) {
    const [, name = '', value = ''] = /^([A-Za-z-]+): (\S.*)$/.exec(line) ?? [];
    assert.notEqual(name, '', line);
    fields.set(name, value);
  }
  assert.match(fields.get('Contact') ?? '', /^(mailto:|tel:|https:\/\/)/);
  assert.match(fields.get('Expires') ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  return fields;
}

describe('security.txt', () => {
  test('names the contact of the operator, and expires within a year', async () => {
    const answer = await node.get('/.well-known/security.txt');
    assert.equal(typeOf(answer), 'text/plain; charset=utf-8');
    const fields = readSecurityText(answer.text);
    assert.equal(fields.get('Contact'), 'mailto:security@example.org');
    const left = Date.parse(fields.get('Expires') ?? '') - Date.now();
    assert.ok(left > 0 && left < 365 * 86_400_000);
    assert.equal(fields.has('Canonical'), false, 'an address of http may not stand in it');
  });
  test('is the same all day, and names its own address if that is an https one', () => {
    const at = (time: string): string =>
      securityText('tel:+1-201-555-0123', 'https://net.example', Date.parse(time));
    assert.equal(at('2026-01-02T00:00:00Z'), at('2026-01-02T23:59:59Z'));
    assert.notEqual(at('2026-01-02T00:00:00Z'), at('2026-01-03T00:00:00Z'));
    const canonical = readSecurityText(at('2026-01-02T00:00:00Z')).get('Canonical');
    assert.equal(canonical, 'https://net.example/.well-known/security.txt');
  });
  test('is refused with what to do if the operator set no contact', async () => {
    const nobody = await HttpNode.start();
    try {
      const { status, body, text } = await nobody.get('/.well-known/security.txt');
      assert.deepEqual([status, body['code']], [404, 'NO_SECURITY_CONTACT']);
      assert.match(text, /--security-contact/);
    } finally {
      await nobody.stop();
    }
  });
});

describe('Link', () => {
  const LINK = /<([^>]+)>; rel="([^"]+)"; type="([^"]+)"/g;
  for (const path of ['/', '/v1']) {
    test(`of ${path} leads to what is there`, async () => {
      for (const accept of ['text/html', '*/*']) {
        const { headers } = await node.get(path, { accept });
        const links = [...String(headers['link']).matchAll(LINK)];
        const relations = links.map(([, , relation]) => relation);
        assert.ok(relations.includes('service-desc') && relations.includes('ai-catalog'));
        for (const [, target = '', , type = ''] of links) {
          const found = await node.get(target, { accept: type });
          assert.equal(found.status, 200, target);
          assert.ok(typeOf(found).startsWith(type), `${target}: ${typeOf(found)}`);
        }
      }
    });
  }
  test('the root of the API leads on to the manifest', async () => {
    const { status, headers } = await node.get('/v1');
    assert.deepEqual([status, headers.location], [302, '/v1/manifest']);
  });
});
