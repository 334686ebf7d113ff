/** Requests that no client library sends, methods, HEAD, OPTIONS, and answers that all paths share. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { canonicalize, type ErrorCode } from '@netd/protocol';
import { discovery } from '../discovery/server-part.ts';
import { errorFormatAt } from './error-format.ts';
import {
  assertProblem,
  assertProblemShape,
  HttpNode,
  operationOf,
  parseRawAnswer,
} from '@netd/testkit/http-node';

let node: HttpNode;
before(async () => {
  node = await HttpNode.start();
  await node.join('alice');
});
after(() => node.stop());

const CLOSE = 'Host: x\r\nConnection: close\r\n\r\n';

describe('a request that no client library sends', () => {
  const table: [name: string, bytes: string, status: number, code: ErrorCode | null][] = [
    ['two slashes', `GET // HTTP/1.1\r\n${CLOSE}`, 404, 'ROUTE_NOT_FOUND'],
    [
      'three slashes before a path',
      `GET ///v1/agents HTTP/1.1\r\n${CLOSE}`,
      404,
      'ROUTE_NOT_FOUND',
    ],
    ['a path beside the root', `GET /../etc/passwd HTTP/1.1\r\n${CLOSE}`, 404, 'ROUTE_NOT_FOUND'],
    [
      'an encoded way up',
      `GET /downloads/..%2f..%2fpackage.json HTTP/1.1\r\n${CLOSE}`,
      404,
      'ROUTE_NOT_FOUND',
    ],
    ['a broken escape', `GET /%zz HTTP/1.1\r\n${CLOSE}`, 400, 'REQUEST_INVALID'],
    ['a lone percent sign', `GET /% HTTP/1.1\r\n${CLOSE}`, 400, 'REQUEST_INVALID'],
    [
      'an escape that is no UTF-8',
      `GET /v1/agents/%ff HTTP/1.1\r\n${CLOSE}`,
      400,
      'REQUEST_INVALID',
    ],
    ['an escaped zero byte', `GET /%00 HTTP/1.1\r\n${CLOSE}`, 404, 'ROUTE_NOT_FOUND'],
    [
      'an escaped zero byte as id',
      `GET /v1/agents/%00 HTTP/1.1\r\n${CLOSE}`,
      400,
      'PARAMETER_INVALID',
    ],
    [
      'an escaped slash in an id',
      `GET /v1/agents/a%2fb HTTP/1.1\r\n${CLOSE}`,
      400,
      'PARAMETER_INVALID',
    ],
    [
      'a line break at the end of an id',
      `GET /v1/agents/alice%0a HTTP/1.1\r\n${CLOSE}`,
      400,
      'PARAMETER_INVALID',
    ],
    [
      'an id of 8,000 characters',
      `GET /v1/agents/${'x'.repeat(8_000)} HTTP/1.1\r\n${CLOSE}`,
      400,
      'PARAMETER_INVALID',
    ],
    ['no id', `GET /v1/agents/ HTTP/1.1\r\n${CLOSE}`, 400, 'PARAMETER_INVALID'],
    [
      'a path of 8,000 characters',
      `GET /${'x'.repeat(8_000)} HTTP/1.1\r\n${CLOSE}`,
      404,
      'ROUTE_NOT_FOUND',
    ],
    [
      'a URL of 20,000 characters',
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${CLOSE}`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'a header of 20,000 characters',
      `GET /health HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n${CLOSE}`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      '200 headers',
      `GET /health HTTP/1.1\r\n${Array.from({ length: 200 }, (_, i) => `X-${i}: ${i}\r\n`).join('')}${CLOSE}`,
      200,
      null,
    ],
    [
      'a header without a colon',
      `GET /health HTTP/1.1\r\nnonsense\r\n${CLOSE}`,
      400,
      'REQUEST_INVALID',
    ],
    [
      'a blank before the colon',
      `GET /health HTTP/1.1\r\nX : 1\r\n${CLOSE}`,
      400,
      'REQUEST_INVALID',
    ],
    [
      'a zero byte in a header',
      `GET /health HTTP/1.1\r\nX: a\u{0}b\r\n${CLOSE}`,
      400,
      'REQUEST_INVALID',
    ],
    [
      'two lengths',
      `POST /v1/intents HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n${CLOSE}{}`,
      400,
      'REQUEST_INVALID',
    ],
    [
      'length and chunks',
      `POST /v1/intents HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n${CLOSE}2\r\n{}\r\n0\r\n\r\n`,
      400,
      'REQUEST_INVALID',
    ],
    [
      'a length that is no number',
      `POST /v1/intents HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: two\r\n${CLOSE}{}`,
      400,
      'REQUEST_INVALID',
    ],
    [
      'a negative length',
      `POST /v1/intents HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: -1\r\n${CLOSE}{}`,
      400,
      'REQUEST_INVALID',
    ],
    [
      'garbage for chunks',
      `POST /v1/intents HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n${CLOSE}garbage\r\n`,
      400,
      'REQUEST_INVALID',
    ],
    [
      'chunks that make no JSON',
      `POST /v1/intents HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n${CLOSE}1\r\n{\r\n0\r\n\r\n`,
      400,
      'ENVELOPE_INVALID',
    ],
    ['another protocol', `SSH-2.0-OpenSSH_9.6\r\n\r\n`, 400, 'REQUEST_INVALID'],
    ['TLS', '\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}', 400, 'REQUEST_INVALID'],
    ['another version of HTTP', `GET /health HTTP/9.9\r\n${CLOSE}`, 400, 'REQUEST_INVALID'],
    ['an unknown method', `BREW /health HTTP/1.1\r\n${CLOSE}`, 400, 'REQUEST_INVALID'],
    ['no Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'REQUEST_INVALID'],
    [
      'two Hosts',
      `GET /health HTTP/1.1\r\nHost: good\r\nHost: x\r\nConnection: close\r\n\r\n`,
      400,
      'REQUEST_INVALID',
    ],
    [
      'one Host twice in other letters',
      `POST /v1/intents HTTP/1.1\r\nhOsT: x\r\n${CLOSE}`,
      400,
      'REQUEST_INVALID',
    ],
    [
      'two Hosts in HTTP/1.0',
      'GET /health HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n',
      400,
      'REQUEST_INVALID',
    ],
    ['HTTP/1.0', 'GET /health HTTP/1.0\r\n\r\n', 200, null],
    ['a whole URL as target', `GET http://x/health HTTP/1.1\r\n${CLOSE}`, 200, null],
    ['a body with GET', `GET /health HTTP/1.1\r\nContent-Length: 2\r\n${CLOSE}{}`, 200, null],
    [
      'a wish to be upgraded',
      `GET /health HTTP/1.1\r\nUpgrade: websocket\r\nHost: x\r\nConnection: Upgrade, close\r\n\r\n`,
      200,
      null,
    ],
    ['an expectation', `GET /health HTTP/1.1\r\nExpect: miracles\r\n${CLOSE}`, 200, null],
  ];
  for (const [name, bytes, status, code] of table) {
    test(`${name}: ${status} ${code ?? ''}`, async () => {
      const state = node.state();
      const answer = parseRawAnswer(await node.raw(Buffer.from(bytes, 'latin1')));
      assert.equal(answer.status, status, answer.text.slice(0, 300));
      if (code !== null) assertProblem(answer, status, code);
      assert.deepEqual(node.state(), state);
      assert.equal((await node.get('/health')).status, 200);
    });
  }

  test('sends no cached answer to a request with no Host, or with two', async () => {
    for (const _ of ['made', 'kept']) assert.equal((await node.get('/v1/token')).status, 200);
    for (const hosts of ['', 'Host: a\r\nHost: b\r\n']) {
      const head = `GET /v1/token HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`;
      assertProblem(parseRawAnswer(await node.raw(head)), 400, 'REQUEST_INVALID');
    }
  });

  test('a body that is too large by its own word is refused before it is asked for', async () => {
    const post = (length: number, body: string): Promise<string> =>
      node.raw(
        `POST /v1/intents HTTP/1.1\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n${CLOSE}${body}`,
      );
    assertProblem(parseRawAnswer(await post(65_537, '')), 413, 'BODY_TOO_LARGE');
    const [interim, last] = (await post(2, '{}')).split(/(?<=\r\n\r\n)(?=HTTP)/);
    assert.equal(interim, 'HTTP/1.1 100 Continue\r\n\r\n');
    assertProblem(parseRawAnswer(last ?? ''), 400, 'ENVELOPE_INVALID');
  });

  test('HEAD with 304 tells no length, since GET would tell none', async () => {
    const { etag } = (await node.get('/v1/token')).headers;
    for (const method of ['HEAD', 'GET']) {
      const head = `${method} /v1/token HTTP/1.1\r\nIf-None-Match: ${etag}\r\n${CLOSE}`;
      const answer = parseRawAnswer(await node.raw(head));
      assert.equal(answer.status, 304);
      assert.equal(answer.headers['content-length'], undefined);
      assert.equal(answer.text, '');
    }
  });

  test('CONNECT gets no tunnel', async () => {
    const text = await node.raw(`CONNECT example.com:443 HTTP/1.1\r\n${CLOSE}`);
    assert.ok(!text.startsWith('HTTP/1.1 2'), text);
  });

  test('half a request and then nothing leaves the node as it was', async () => {
    const body = canonicalize(node.registration('halfway'));
    const head = `POST /v1/agents/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    for (const bytes of ['GET /hea', head, head + body.slice(0, 100), head + body.slice(0, -1)]) {
      await new Promise<void>((resolve) => {
        const socket = connect(node.port, '127.0.0.1', () => {
          socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 5));
        });
        socket.once('close', () => resolve());
        socket.on('error', () => {});
      });
    }
    assert.equal((await node.get('/v1/agents/halfway')).status, 404);
    assert.equal((await node.get('/health')).status, 200);
  });

  test('a length that is too short leaves a cut body and a broken second request', async () => {
    const body = canonicalize(node.registration('cut'));
    const text = await node.raw(
      `POST /v1/agents/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n${body}`,
    );
    const [first, second] = text.split(/(?=HTTP\/1\.1 )/);
    assertProblem(parseRawAnswer(first ?? ''), 400, 'ENVELOPE_INVALID');
    assertProblem(parseRawAnswer(second ?? ''), 400, 'REQUEST_INVALID');
    assert.equal((await node.get('/v1/agents/cut')).status, 404);
  });
});

describe('several requests on one connection', () => {
  const post = (body: string): string =>
    `POST /v1/agents/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  test('are answered in their order', async () => {
    const text = await node.raw(
      [
        post(canonicalize(node.registration('piped-1'))),
        'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n',
        post('{}'),
        `GET /v1/agents/piped-1/x HTTP/1.1\r\n${CLOSE}`,
      ].join(''),
    );
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
    assert.deepEqual(statuses, ['201', '200', '400', '404']);
  });
  test('garbage after a write does not take the place of its answer', async () => {
    const body = canonicalize(node.registration('piped-2'));
    const text = await node.raw(`${post(body)}garbage\r\n\r\n`);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
    assert.equal(statuses[0], '201', text);
    assert.equal((await node.get('/v1/agents/piped-2')).status, 200);
  });
});

describe('methods', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];
  const fill = (template: string): string =>
    template
      .replace('{agentId}', 'alice')
      .replace('{accountId}', 'alice')
      .replace('{height}', '0')
      .replace('{index}', '0')
      .replaceAll(/\{[a-zA-Z]+Hash\}/g, 'ab'.repeat(32));

  test('every path refuses with 405 what it does not answer, and says what it answers', async () => {
    const description = await node.description();
    for (const template of Object.keys(description.paths)) {
      const path = fill(template);
      const answered = METHODS.filter((method) => operationOf(description, method, path));
      for (const method of METHODS.filter((name) => !answered.includes(name))) {
        const answer = await node.request(method, path);
        assert.equal(answer.status, 405, `${method} ${path}: ${answer.text}`);
        // Paths of other protocols answer in their own form.
        if (method !== 'HEAD' && errorFormatAt(discovery.errorFormats, path)) {
          assert.match(answer.text, /METHOD_NOT_ALLOWED/);
        } else if (method !== 'HEAD') assertProblem(answer, 405, 'METHOD_NOT_ALLOWED');
        const allowed = String(answer.headers.allow).split(', ');
        assert.deepEqual(
          allowed.toSorted(),
          path === '/mcp' ? ['POST'] : [...answered, 'OPTIONS'].toSorted(),
          `${method} ${path}`,
        );
      }
    }
  });

  test('a body of any type with a wrong method is 405, with an unknown path 404', async () => {
    for (const type of ['text/plain', 'application/json', 'nonsense']) {
      const headers = { 'content-type': type };
      assertProblem(
        await node.request('PUT', '/v1/intents', headers, 'x'),
        405,
        'METHOD_NOT_ALLOWED',
      );
      assertProblem(await node.request('POST', '/health', headers, 'x'), 405, 'METHOD_NOT_ALLOWED');
      assertProblem(await node.request('POST', '/nowhere', headers, 'x'), 404, 'ROUTE_NOT_FOUND');
      assertProblem(await node.request('DELETE', '/nowhere', headers, 'x'), 404, 'ROUTE_NOT_FOUND');
    }
  });

  test('the path of registrations cannot be read, and no agent takes its name', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const answer = await node.request(method, '/v1/agents/register');
      assert.equal(answer.status, 405, method);
      assert.equal(answer.headers.allow, 'OPTIONS, POST', method);
    }
    const answer = await node.post('/v1/agents/register', node.registration('Register'));
    assertProblem(answer, 409, 'NAME_RESERVED');
  });

  test('a person who is lost gets a page that leads on, a program the problem', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const path of ['/nowhere', '/v1/agents/absent-here', '/v1/work-orders/none']) {
      const page = await node.get(path, { accept: browser });
      assert.equal(page.status, 404);
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
      assert.match(String(page.headers.vary), /Accept/);
      const link = /href="([^"]+docs)"/.exec(page.text)?.[1] ?? '';
      assert.equal(new URL(link, node.url + path).pathname, '/docs');
      for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.1']) {
        assertProblemShape(await node.get(path, { accept }));
      }
    }
    const evil = await node.get('/v1/agents/%3Cscript%3E', { accept: browser });
    assert.ok(!evil.text.includes('<script>'));
  });

  test('HEAD answers as GET does, without a body', async () => {
    const { paths } = await node.description();
    for (const [template, operations] of Object.entries(paths)) {
      if (!operations['get']) continue;
      const path = fill(template);
      const [get, head] = [await node.get(path), await node.request('HEAD', path)];
      assert.equal(head.status, get.status, path);
      assert.equal(head.text, '', path);
      for (const name of ['content-type', 'etag', 'cache-control', 'vary', 'content-encoding']) {
        assert.equal(head.headers[name], get.headers[name], `${name} of ${path}`);
      }
      if (template !== '/metrics') {
        assert.equal(head.headers['content-length'], get.headers['content-length'], path);
      }
    }
  });

  test('HEAD does not open an event stream', async () => {
    const answer = await node.request('HEAD', '/v1/events', { accept: 'text/event-stream' });
    assert.equal(answer.status, 200);
    assert.match(String(answer.headers['content-type']), /^application\/json/);
  });

  test('unknown paths are 404, for any method', async () => {
    for (const path of [
      '/nowhere',
      '/v1/',
      '/v2/agents',
      '/v1/agents/alice/x',
      '/v1/intents:run',
      '/V1/agents',
      '/health/',
      '/.env',
      '/%2e%2e/x',
    ]) {
      assertProblem(await node.get(path), 404, 'ROUTE_NOT_FOUND');
      assertProblem(await node.post(path, '{}'), 404, 'ROUTE_NOT_FOUND');
    }
  });

  test('an id of any form never finds what is not there', async () => {
    for (const id of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'nobody']) {
      for (const list of [
        'agents',
        'accounts',
        'transitions',
        'consensus/certificates',
        'blocks',
        'state/chunks',
      ]) {
        const answer = await node.get(`/v1/${list}/${id}`);
        assert.ok([400, 404].includes(answer.status), `${list}/${id}: ${answer.status}`);
        assertProblemShape(answer);
      }
    }
  });
});

describe('browsers of other origins', () => {
  test('may read and write, and see the headers they need', async () => {
    for (const path of ['/v1/network', '/v1/agents', '/v1/agents/absent', '/nowhere']) {
      const { headers } = await node.get(path, { origin: 'https://elsewhere.example' });
      assert.equal(headers['access-control-allow-origin'], '*', path);
      const exposed = String(headers['access-control-expose-headers']).split(', ');
      for (const name of ['retry-after', 'ratelimit-limit', 'ratelimit-remaining']) {
        assert.ok(exposed.includes(name), name);
      }
      assert.equal(headers['access-control-allow-credentials'], undefined);
    }
  });
  test('get their preflight answered', async () => {
    const answer = await node.request('OPTIONS', '/v1/intents', {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    });
    assert.equal(answer.status, 204);
    assert.match(String(answer.headers['access-control-allow-methods']), /POST/);
    assert.match(String(answer.headers['access-control-allow-headers']), /content-type/i);
  });
  test('OPTIONS outside of a browser is no error', async () => {
    for (const path of ['/v1/intents', '/health', '*']) {
      assert.equal((await node.request('OPTIONS', path)).status, 204, path);
    }
  });
  test('find protective headers on every answer', async () => {
    for (const path of ['/', '/v1/agents', '/nowhere']) {
      const { headers } = await node.get(path);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
      assert.match(String(headers['content-security-policy']), /default-src 'none'/, path);
      assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/, path);
      assert.equal(headers['x-powered-by'], undefined);
      assert.equal(headers['server'], undefined);
    }
  });
});

describe('parameters', () => {
  const bad = [
    '/v1/agents?limit=0',
    '/v1/agents?limit=1001',
    '/v1/agents?limit=-1',
    '/v1/agents?limit=ten',
    '/v1/agents?limit=1.5',
    '/v1/agents?limit=1e1',
    '/v1/agents?limit=0x10',
    '/v1/agents?limit=010',
    '/v1/agents?limit=%201',
    '/v1/agents?limit=',
    '/v1/agents?limit=1&limit=2',
    '/v1/agents?limit=9007199254740993',
    '/v1/blocks?limit=101',
    '/v1/blocks?heights=',
    '/v1/blocks?heights=1,',
    '/v1/blocks?heights=1,01',
    '/v1/blocks?heights=1,-2',
    `/v1/blocks?heights=1${',1'.repeat(100)}`,
    '/v1/blocks/-1',
    '/v1/blocks/01',
    '/v1/blocks/1.0',
    '/v1/blocks/1e0',
    '/v1/blocks/x',
    '/v1/blocks/9007199254740992',
    '/v1/blocks/99999999999999999999',
    '/v1/blocks/1?events=',
    '/v1/blocks/1?events=false',
    '/v1/state/chunks/0',
    '/v1/state/chunks/0?checkpoint=x',
    `/v1/state/chunks/-1?checkpoint=${'ab'.repeat(32)}`,
    `/v1/state/chunks/0?checkpoint=${'AB'.repeat(32)}`,
    '/v1/state/proof',
    '/v1/state/proof?key=',
    '/v1/state/proof?key=%00',
    '/v1/state/proof?key=agent/%C3%A4',
    `/v1/state/proof?key=${'x'.repeat(401)}`,
    `/v1/consensus/certificates/${'a'.repeat(63)}`,
    `/v1/consensus/certificates/${'A'.repeat(64)}`,
    '/v1/transitions/x',
    '/v1/accounts/x',
    '/v1/accounts/net:',
    `/v1/referrals?referrer=${'x'.repeat(65)}`,
    '/v1/events?after=x',
    '/v1/events?after=1',
    '/v1/events?after=1.2.3',
    '/v1/events?after=-1.0',
    '/v1/events?after=01.0',
    '/v1/events?after=999999999999999.99999',
    '/v1/events?after=1.65536',
    '/v1/events?limit=1001',
  ];
  for (const path of bad) {
    test(`GET ${path.length > 60 ? `${path.slice(0, 57)}…` : path}: 400`, async () => {
      const problem = assertProblem(await node.get(path), 400, 'PARAMETER_INVALID');
      assert.match(String(problem.errors?.[0]?.path), /^\/(path|query)\//);
    });
  }
  test('ignores an unknown parameter', async () => {
    for (const query of [
      'x=1',
      '__proto__=1',
      'constructor=x',
      '__proto__[limit]=1',
      'x',
      '&&&',
      '=',
    ]) {
      assert.equal((await node.get(`/v1/agents?${query}`)).status, 200, query);
    }
  });
});
