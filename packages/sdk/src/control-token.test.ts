import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import { NetClient } from './client.ts';
import { controlHeaders } from './control-token.ts';

const URL_HERE = 'http://127.0.0.1:8420';
const LAB = { path: '/v1/lab/mine', body: {} };

describe('the control token', () => {
  it('is that of the caller, else what the node left for its user, else that of the environment for the node of NET_URL', (t) => {
    const home = tempDir(t);
    const { HOME, NET_CONTROL_TOKEN, NET_URL } = process.env;
    t.after(() =>
      Object.assign(process.env, { HOME, ...(NET_URL === undefined ? {} : { NET_URL }) }),
    );
    delete process.env['NET_URL'];
    process.env['HOME'] = home;
    delete process.env['NET_CONTROL_TOKEN'];
    t.after(() => {
      if (NET_CONTROL_TOKEN !== undefined) process.env['NET_CONTROL_TOKEN'] = NET_CONTROL_TOKEN;
    });
    assert.deepEqual(controlHeaders(URL_HERE, LAB), {});
    mkdirSync(join(home, '.netd', 'control'), { recursive: true });
    writeFileSync(join(home, '.netd', 'control', '8420'), 'left\n');
    assert.deepEqual(controlHeaders(URL_HERE, LAB), { 'x-net-control': 'left' });
    assert.deepEqual(controlHeaders('http://127.0.0.1:8421', LAB), {});
    assert.deepEqual(controlHeaders('https://lab.example:8420', LAB), {});
    process.env['NET_CONTROL_TOKEN'] = 'configured';
    assert.deepEqual(controlHeaders(URL_HERE, LAB), { 'x-net-control': 'left' });
    rmSync(join(home, '.netd', 'control', '8420'));
    const configured = { 'x-net-control': 'configured' };
    assert.deepEqual(controlHeaders(URL_HERE, LAB), configured, 'the default of NET_URL');
    assert.deepEqual(controlHeaders('http://127.0.0.1:8421', LAB), {}, 'another program here');
    process.env['NET_URL'] = 'http://localhost:8421/net/';
    assert.deepEqual(controlHeaders('http://localhost:8421/net', LAB), configured);
    assert.deepEqual(controlHeaders(URL_HERE, LAB), {}, 'not the node that the variable names');
    process.env['NET_URL'] = 'https://lab.example';
    assert.deepEqual(controlHeaders('https://lab.example', LAB), {});
    delete process.env['NET_URL'];
    delete process.env['NET_CONTROL_TOKEN'];
    const given = { ...LAB, given: 'given' };
    assert.deepEqual(controlHeaders(URL_HERE, given), { 'x-net-control': 'given' });
    assert.deepEqual(controlHeaders('https://lab.example', given), { 'x-net-control': 'given' });
  });

  it('follows with an intent that is refused for want of it, once', async (t) => {
    const sent: (string | null)[] = [];
    t.mock.method(globalThis, 'fetch', async (_url: string, { headers }: RequestInit) => {
      sent.push(new Headers(headers).get('x-net-control'));
      const problem = { code: 'CONTROL_TOKEN_REQUIRED', detail: 'It wants the secret' };
      return new Response(JSON.stringify(problem), { status: 403 });
    });
    const intent = { actorId: 'ada', signature: 'by anybody' };
    for (const controlToken of ['given', undefined]) {
      const url = 'https://lab.example';
      const client = new NetClient({ url, ...(controlToken ? { controlToken } : {}) });
      await assert.rejects(client.send(intent), { code: 'CONTROL_TOKEN_REQUIRED' });
    }
    assert.deepEqual(sent, [null, 'given', null]);
  });

  it('goes with laboratory calls and unsigned writes, and with nothing else', () => {
    const sent = (path: string, body = {}): boolean =>
      'x-net-control' in controlHeaders(URL_HERE, { path, body, given: 'given' });
    for (const path of ['lab/time', 'work-orders', 'memory/checkpoints', 'memory/handovers']) {
      assert.equal(sent(`/v1/${path}`), true, path);
      assert.equal(sent(`/v1/${path}`, { signature: '' }), false, path);
    }
    assert.equal(sent('/v1/intents:simulate'), false);
  });
});
