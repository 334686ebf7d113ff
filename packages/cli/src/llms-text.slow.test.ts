/**
 * Programs without an SDK follow /llms.txt. One earns, then hires another, judges, pays, and is stopped by
 * its budget.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { World } from '@netd/sdk/testing/world';

const run = promisify(execFile);

/** Helpers that the text leaves to the reader. They use the names of its program. */
const COMMON = `
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const { beacons } = await read('/v1/discovery?capability=blobs');
const stores = beacons.filter(({ protocols }) => protocols.some((one) => one.endsWith('-blobs/1')))
  .map(({ endpoint }) => endpoint.replace('https://127.', 'http://127.'));
const blob = async (hash) => {
  const bytes = Buffer.from(await (await fetch(stores[0] + '/blobs/' + hash)).arrayBuffer());
  if (sha256(bytes) !== hash) throw new Error('other bytes');
  return bytes;
};
const put = async (bytes) => {
  for (const store of stores) {
    const url = new URL(store + '/blobs/' + sha256(bytes)), created = Math.floor(Date.now() / 1000);
    const digest = 'sha-256=:' + createHash('sha256').update(bytes).digest('base64') + ':';
    const terms = process.env.SIGNATURE_INPUT.replace('<unix>', created).replace('<at most 300 later>', created + 300)
      .replace('<fresh>', randomUUID()).replace('<your id>', id);
    const parts = { '@method': 'PUT', '@authority': url.host, '@path': url.pathname, 'content-digest': digest };
    const names = /\\(([^)]*)\\)/.exec(terms)[1].split(' ').map((name) => JSON.parse(name));
    const base = [...names.map((name) => '"' + name + '": ' + parts[name]), '"@signature-params": ' + terms.slice('sig='.length)].join('\\n');
    const headers = { 'content-digest': digest, 'signature-input': terms,
      signature: 'sig=:' + sign(null, Buffer.from(base), key).toString('base64') + ':' };
    const answer = await fetch(url, { method: 'PUT', headers, body: bytes });
    if (!answer.ok) throw new Error(await answer.text());
  }
  return sha256(bytes);
};
`;

const WORK = `
let orderId;
while (!orderId) {
  const { opportunities } = await read('/v1/agent-opportunities?limit=10');
  orderId = opportunities[0]?.orderId;
  await wait(200);
}
const { order, scope: { scopeHash }, acceptWork } = await read('/v1/work-orders/' + orderId + '/brief?actorId=' + id);
const { acceptance: [{ schema }] } = JSON.parse(await blob(scopeHash));
await act(acceptWork.action, acceptWork.payload);
const deliverableHash = await put(Buffer.from(JSON.stringify(Object.fromEntries(schema.required.map((name) => [name, 'done'])))));
await act('submitWorkResult', { orderId, agentId: id, deliverableHash });
for (;;) {
  const { order: { status, phase, reason } } = await read('/v1/work-orders/' + orderId);
  if (status === 'PAID' || status === 'REJECTED') { console.log(status, reason); break; }
  if (phase === 'VERIFIED') await act('settleVerifiedWork', { orderId }).catch(() => {});
  await wait(200);
}
`;

/** Hires with a session key and its budget. The agent's own key only grants the session and signs uploads. */
const HIRE = `
const actions = ['createWorkOrder', 'settleVerifiedWork', 'transfer'], sessionId = 'errands';
await act('extendAgentCapabilities', { agentId: id, actions: ['createWorkOrder', 'transfer'] });
const second = generateKeyPairSync('ed25519').privateKey;
const pem = createPublicKey(second).export({ type: 'spki', format: 'pem' });
const signed = (by, value) => sign(null, Buffer.from(jcs(value)), by).toString('base64');
const nonce = randomUUID(), now = (await read('/v1/network')).height;
const proof = { schema: 'NET-SESSION-KEY/1', chainId, actorId: id, sessionId, publicKey: pem, nonce };
await send('/v1/intents', { actorId: id, nonce, expiresAtHeight: now + 500, action: 'grantSession', chainId, payload: { agentId: id, sessionId,
  publicKey: pem, publicKeyHash: sha256(jcs(pem)), sessionKeySignature: signed(second, proof), actions, budget: 5000000, expiresAtHeight: now + 4000 } });
const bySession = async (action, payload) => {
  const expiresAtHeight = (await read('/v1/network')).height + 500;
  const intent = { actorId: id, sessionId, nonce: randomUUID(), expiresAtHeight, action, payload, chainId };
  const body = jcs({ ...intent, signature: signed(second, intent) });
  const answer = await fetch(base + '/v1/intents', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return answer.status === 201 ? null : (await answer.json()).code;
};
const done = async (action, payload) => {
  const code = await bySession(action, payload);
  if (code) throw new Error(code);
};
const scope = JSON.parse(process.env.SCOPE), hired = 'haiku-for-' + id;
const scopeHash = await put(Buffer.from(jcs(scope)));
await done('createWorkOrder', { orderId: hired, title: scope.title, scopeHash, jobType: 'general', funding: 4000000 });
let found;
while ((found = (await read('/v1/work-orders/' + hired)).order).phase !== 'VERIFIED') await wait(200);
const result = JSON.parse(await blob(found.result.deliverableHash));
const [{ schema }] = scope.acceptance;
if (!schema.required.every((name) => name in result)) throw new Error('not what was asked for');
for (let code; (await read('/v1/work-orders/' + hired)).order.status !== 'PAID'; await wait(200)) {
  code = await bySession('settleVerifiedWork', { orderId: hired });
  // Not yet, or by the worker.
  if (code && !['DISPUTE_WINDOW_OPEN', 'WORK_NOT_VERIFIED'].includes(code)) throw new Error(code);
}
console.log('HIRED', JSON.stringify(result));
for (let code = null; code === null; ) console.log('PAY', code = await bySession('transfer', { to: found.workerId, amount: 500000 }));
`;

test('a program that follows /llms.txt earns, hires, pays and is stopped by its budget', async (t) => {
  const world = await World.start(t);
  await Promise.all([world.staff(), world.announceBlobs()]);
  const orderId = await world.order({
    jobType: 'report',
    requirements: [],
    scope: {
      deliverable: { mediaType: 'application/json', maxBytes: 10_000 },
      acceptance: [{ kind: 'json-schema', schema: { type: 'object', required: ['summary'] } }],
    },
  });
  const text = await (await fetch(`${world.node.url}/llms.txt`)).text();
  const [, program = ''] = /```js\n([^]*?)```/.exec(text) ?? [];
  const [, input = ''] = /Signature-Input: (sig=\S+ \S+ \S+ [^,]*alg="ed25519")/.exec(text) ?? [];
  const [, url = ''] = /NET_URL=(\S+) NET_ID/.exec(text) ?? [];
  for (const said of [
    '/v1/agent-opportunities',
    '/v1/discovery?capability=blobs',
    '{endpoint}/blobs/{scopeHash}',
    '{endpoint}/blobs/{deliverableHash}',
    'settleVerifiedWork',
    '{endpoint}/blobs/{result.deliverableHash}',
    '{schema: "NET-SESSION-KEY/1", chainId, actorId, sessionId, publicKey, nonce}',
    'SESSION_BUDGET_EXCEEDED',
  ]) {
    assert.ok(text.includes(said), said);
  }
  const [scope = ''] = /^\{"schema":"NET-WORK-SCOPE\/1".*$/m.exec(text) ?? [];
  const folder = join(world.home, 'reader');
  mkdirSync(folder);
  writeFileSync(join(folder, 'work.mjs'), program + COMMON + WORK);
  writeFileSync(join(folder, 'hire.mjs'), program + COMMON + HIRE);
  const follow = async (name: string, id: string): Promise<string> => {
    const own = { NET_URL: url, NET_ID: id, SIGNATURE_INPUT: input, SCOPE: scope };
    const env = { PATH: process.env['PATH'], ...own };
    return (await run(process.execPath, [name], { cwd: folder, env })).stdout;
  };
  assert.match(await follow('work.mjs', 'reader'), /^PAID /m);
  assert.equal((await world.orderAt(orderId)).workerId, 'reader');
  // It hires with its earnings: 4 NET and the verification fee, out of a budget of 5.
  const [hired, worked] = await Promise.all([
    follow('hire.mjs', 'reader'),
    follow('work.mjs', 'other'),
  ]);
  assert.match(worked, /^PAID /m);
  assert.match(hired, /^HIRED \{"lines":"done"\}$/m);
  assert.deepEqual(hired.match(/(?<=^PAY )\w+$/gm), ['null', 'SESSION_BUDGET_EXCEEDED']);
  assert.equal(await world.balanceOf('other'), 4_500_000);
  assert.equal(await world.balanceOf('reader'), 10_000_000 - 4_080_000 - 500_000);
  const { checks } = (await world.client.read('/v1/work-orders/{orderId}/brief', { orderId }))
    .scope;
  assert.match(checks.join(' '), /\{endpoint\}\/blobs\//);
  assert.doesNotMatch(checks.join(' '), /channel of your own/);
});
