/** Mistakes of a program that uses the client: each is refused with a code, the place, and what to write instead. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { NetSdkError } from '@netd/protocol';
import { AgentError } from './agent/agent-error.ts';
import { Agent } from './agent/agent.ts';
import { SEND_OPTIONS } from './agent/ask.ts';
import { refusalOf as simulationRefusal } from './agent/refusal-of.ts';
import { AgentKey } from './agent-key.ts';
import { HANDOVER_OPTIONS } from './agent/handover.ts';
import { HIRE_OPTIONS } from './agent/hire-options.ts';
import { SESSION_OPTIONS } from './agent/session.ts';
import { WORK_OPTIONS } from './agent/work-offer.ts';
import { requireKind, requireOptions } from './option-names.ts';
import { NetClient } from './client.ts';
import { streamEvents } from './events.ts';
import { NetError } from './http.ts';
import { buildPath } from './reads.ts';
import { compareTrustReports } from './trust-comparison.ts';

/** Answers every path with what the test sets. */
let body = '';
let status = 200;
const server = createServer((_, response) => {
  response.writeHead(status).end(body);
});
let client: NetClient;
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = new NetClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
after(() => {
  server.close().closeAllConnections();
});

/** Returns the SDK error that a mistake causes. */
async function refusalOf(mistake: () => unknown): Promise<NetSdkError> {
  try {
    await mistake();
  } catch (error) {
    assert.ok(error instanceof NetSdkError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: `nothing is refused by ${String(mistake)}` });
}

describe('an address', () => {
  for (const [url, hint] of [
    ['127.0.0.1:8420', 'write http://127.0.0.1:8420'],
    ['localhost:8420', 'write http://localhost:8420'],
    ['http://127.0.0.1:8420/v1', 'ends in /v1: write http://127.0.0.1:8420)'],
    ['http://127.0.0.1:8420/v1/', 'ends in /v1'],
    ['http://127.0.0.1:8420/?x=secret', '("http://127.0.0.1:8420/?***" has a query'],
    ['127.0.0.1:8420?x=secret', 'write http://127.0.0.1:8420?***'],
    ['ada:secret@127.0.0.1/#secret', '("***@127.0.0.1/#***" '],
    ['ftp://127.0.0.1', 'has the scheme ftp:'],
    ['http://ada:secret@127.0.0.1', 'has a name or password'],
    ['http://', 'is not an address'],
    ['', 'is not an address'],
    [8420, 'is not a text'],
    ['http://[::1', 'is not an address'],
  ] as const) {
    it(`refuses ${JSON.stringify(url)}`, async () => {
      for (const mistake of [
        () => new NetClient({ url: url as string }),
        () => streamEvents(url as string),
        () => Agent.open('ada', { url: url as string }),
      ]) {
        const error = await refusalOf(mistake);
        assert.deepEqual([error.code, error.data], ['URL_INVALID', { path: '/url' }]);
        assert.ok(error.message.includes(hint), error.message);
        assert.doesNotMatch(error.message, /secret/);
        assert.ok(error instanceof AgentError);
      }
    });
  }

  it('may have a path, and a slash at its end', () => {
    assert.equal(new NetClient({ url: 'http://host/net/' }).url, 'http://host/net');
  });

  it('of something else than a node is told from one, with what was found', async () => {
    for (const [answer, withStatus, found] of [
      ['{"name":"another API","version":2}', 200, 'JSON that has name, version'],
      ['[]', 200, 'a list'],
      ['{}', 200, 'an empty object'],
      ['<html>', 200, 'no JSON document'],
      ['<html>', 404, 'status 404'],
    ] as const) {
      [body, status] = [answer, withStatus];
      for (const mistake of [
        () => client.network(),
        () => Agent.open('ada', { url: client.url }),
      ]) {
        const error = await refusalOf(mistake);
        assert.equal(error.code, 'NOT_A_NODE', answer);
        assert.ok(error instanceof NetError && error.message.includes(found), error.message);
      }
    }
  });

  it('whose lists are none is no node', async () => {
    status = 200;
    for (const agents of ['[]', '{}', '{"agents":7}', '{"agents":[null]}', '{"agents":["ada"]}']) {
      body = agents;
      for (const mistake of [
        () => client.read('/v1/agents'),
        () => client.items('/v1/agents').next(),
      ]) {
        const error = await refusalOf(mistake);
        assert.deepEqual([error.code, error instanceof NetError], ['HTTP_200', true], agents);
      }
    }
  });

  it('without a node is UNREACHABLE, with the reason', async () => {
    const nobody = new NetClient({ url: 'http://127.0.0.1:1' });
    for (const ask of [
      () => nobody.network(),
      () => nobody.get('/x'),
      () => nobody.text('/llms.txt'),
    ]) {
      const error = await refusalOf(ask);
      assert.ok(error instanceof NetError);
      assert.deepEqual([error.code, error.status], ['UNREACHABLE', 0]);
      assert.match(error.message, /http:\/\/127\.0\.0\.1:1: .*(ECONNREFUSED|bad port)/);
    }
    const opened = await refusalOf(() => Agent.open('ada', { url: nobody.url }));
    assert.equal(opened.code, 'NODE_UNREACHABLE');
  });

  it('of one origin that is none leaves the others to be compared', async () => {
    const { origins } = await compareTrustReports(['127.0.0.1:1']);
    assert.ok(origins[0]?.status === 'unreachable' && origins[0].reason.includes('no scheme'));
  });
});

describe('a signed envelope', () => {
  it('drops members that are undefined, and names a Date by its path', async () => {
    const key = await AgentKey.generate();
    const signed = await key.sign({ a: 1, b: undefined as never });
    assert.deepEqual(Object.keys(signed), ['a', 'signature']);
    const error = await refusalOf(() => key.sign({ at: new Date(0) as never }));
    assert.deepEqual([error.code, error.data], ['VALUE_NOT_JSON', { path: '/at' }]);
  });
});

describe('a simulation', () => {
  it('whose refusal has no form of one is no answer of a node', () => {
    for (const refusal of [{ code: 'X', detail: [] }, { code: 'X', errors: [null] }, { code: 1 }]) {
      assert.equal(simulationRefusal(refusal as never).code, 'HTTP_200');
    }
  });
});

describe('an unknown option', () => {
  const given = (options: object): never => options as never;
  for (const [mistake, near] of [
    [() => new NetClient(given({ timout: 1 })), '"timout"; did you mean timeout?'],
    [() => client.events(given({ agnet: 'ada' })), 'did you mean agent?'],
    [
      () => client.read('/v1/agents', given({ limt: 3 })),
      '/v1/agents: "limt"; did you mean limit?',
    ],
    [() => client.items('/v1/work-orders', given({ stat: 'OPEN' })).next(), 'mean status?'],
    [() => client.read('/v1/network', given({ limit: 3 })), '/v1/network: "limit"'],
    [
      () => client.simulate({ actorId: 'a' }, 'x' as string, {}, given({ tarce: true })),
      'mean trace?',
    ],
    [() => client.register(given({}), given({ descripton: 'x' })), 'mean description?'],
    [() => Agent.open('ada', given({ capability: ['x'] })), 'mean capabilities?'],
    [() => Agent.openSession('file', given({ Url: 'x' })), 'mean url?'],
    [() => Agent.openSession('file', given({ passphrase: 'x' })), '"passphrase"'],
  ] as const) {
    it(`is refused: ${near}`, async () => {
      const error = await refusalOf(mistake);
      assert.equal(error.code, 'OPTION_UNKNOWN');
      assert.ok(error.message.includes(near), error.message);
    });
  }

  it('counts as left out if it is undefined', () => {
    assert.ok(new NetClient({ url: 'http://a', timout: undefined } as object));
    assert.equal(buildPath('/v1/agents', { limit: undefined, other: undefined }), '/v1/agents');
  });

  it('of a path that only a newer node has is let pass', () => {
    assert.equal(buildPath('/v1/newer', { a: 1 }), '/v1/newer?a=1');
  });
});

describe('options that are no object', () => {
  for (const given of ['http://host', 10, null, ['http://host'], new URL('http://host')]) {
    it(`are refused: ${String(given)}`, async () => {
      for (const mistake of [
        () => new NetClient(given as object),
        () => client.events(given as object),
        () => Agent.open('ada', given as object),
      ]) {
        const error = await refusalOf(mistake);
        assert.equal(error.code, 'ARGUMENT_INVALID');
        assert.match(error.message, /takes its options as an object, such as \{ \w+: … \}/);
      }
    });
  }
});

describe('an agent', () => {
  for (const [agentId, options, code] of [
    [undefined, {}, 'AGENT_ID_INVALID'],
    [null, {}, 'AGENT_ID_INVALID'],
    ['ada', { capabilities: 'abc' }, 'ARGUMENT_INVALID'],
    ['ada', { capabilities: [1] }, 'ARGUMENT_INVALID'],
    ['ada', { blobs: 'http://127.0.0.1:1' }, 'ARGUMENT_INVALID'],
  ] as const) {
    it(`is not opened as ${String(agentId)} with ${JSON.stringify(options)}`, async () => {
      const url = 'http://127.0.0.1:1';
      const given: object = { url, ...options };
      const mistake = () => Agent.open(agentId as string, given);
      assert.equal((await refusalOf(mistake)).code, code);
    });
  }
});

describe('an option that is a number or a list', () => {
  const key = 'no key' as never;
  for (const [mistake, path, said] of [
    [
      () => new NetClient({ timeout: '30' as never }),
      '/timeout',
      '"30" is no number of milliseconds',
    ],
    [() => new NetClient({ timeout: -1 }), '/timeout', '-1 is no number of milliseconds above 0'],
    [() => new NetClient({ timeout: NaN }), '/timeout', 'NaN is no number'],
    [() => new NetClient({ timeout: Infinity }), '/timeout', 'Infinity is no number'],
    [() => client.events({ silence: '45' as never }), '/silence', '"45" is no number'],
    [() => Agent.openSession('f', { capabilities: 'abc' as never }), '/capabilities', 'no list'],
    [
      () => Agent.openSession('f', { trustedOrigins: 'abc' as never }),
      '/trustedOrigins',
      'no list',
    ],
    [() => client.compareTrustReports('abc' as never), '/origins', 'is no list of texts'],
    [
      () => client.grantSession({ actorId: 'a', key: {} as never }, { key, actions: [] } as never),
      '/key',
      'is no object',
    ],
  ] as const) {
    it(`${path} is refused: ${said}`, async () => {
      const error = await refusalOf(mistake);
      assert.deepEqual([error.code, error.data], ['ARGUMENT_INVALID', { path }]);
      assert.ok(error.message.includes(said), error.message);
    });
  }

  for (const [name, kind, wrong] of [
    ['ask', SEND_OPTIONS, { timeout: '10s' }],
    ['handOver', HANDOVER_OPTIONS, { timeout: NaN }],
    ['onWork', WORK_OPTIONS, { concurrency: 1.5 }],
    ['onWork', WORK_OPTIONS, { capabilities: 'abc' }],
    ['hire', HIRE_OPTIONS, { requirements: 'abc' }],
    ['grantSession', SESSION_OPTIONS, { expiresIn: '9' }],
    ['grantSession', SESSION_OPTIONS, { actions: 'faucet' }],
  ] as const) {
    it(`of ${name} is refused as ${JSON.stringify(wrong)}`, async () => {
      const error = await refusalOf(() => requireOptions(name, wrong, kind));
      assert.equal(error.code, 'ARGUMENT_INVALID');
    });
  }
});

describe('an argument', () => {
  for (const [mistake, code, path, said] of [
    [() => client.events({ after: 'banana' }), 'ARGUMENT_INVALID', '/after', 'such as 12.0'],
    [() => client.events({ since: '12.0' }), 'ARGUMENT_INVALID', '/since', 'is no cursor'],
    [
      () => client.events({ since: `12.0.${'a'.repeat(64)}`, after: '0.0' }),
      'ARGUMENT_INVALID',
      '/since',
      'leave them out',
    ],
    [() => client.get('v1/agents'), 'ARGUMENT_INVALID', '/path', 'begins with a slash'],
    [() => client.post('x', {}), 'ARGUMENT_INVALID', '/path', 'begins with a slash'],
    [
      () => requireKind('hash', 'xyz', 'hash'),
      'ARGUMENT_INVALID',
      '/hash',
      'is not a hash: write 64',
    ],
    [() => client.post('/v1/lab/time', { seconds: NaN }), 'VALUE_NOT_JSON', '/seconds', 'NaN'],
  ] as const) {
    it(`${path} is refused: ${said}`, async () => {
      const error = await refusalOf(mistake);
      assert.deepEqual([error.code, error.data], [code, { path }]);
      assert.ok(error.message.includes(said), error.message);
    });
  }
});
