/** /llms.txt, followed to the letter by a program without an SDK: it ends with the order PAID. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { World } from '@netd/sdk/testing/world';

const run = promisify(execFile);

/** What is left to whoever reads it, behind the program of the text: its names are taken from there. */
const WORK = `
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const { opportunities: [{ orderId }] } = await read('/v1/agent-opportunities?limit=10');
const { order, scope: { scopeHash }, acceptWork } = await read('/v1/work-orders/' + orderId + '/brief?actorId=' + id);
const { replicas } = await read('/v1/replicas');
const stores = replicas.filter(({ protocols }) => protocols.some((one) => one.endsWith('-blobs/1')))
  .map(({ endpoint }) => endpoint.replace('https://127.', 'http://127.'));
const scopeBytes = Buffer.from(await (await fetch(stores[0] + '/blobs/' + scopeHash)).arrayBuffer());
if (createHash('sha256').update(scopeBytes).digest('hex') !== scopeHash) throw new Error('another scope');
const { acceptance: [{ schema }] } = JSON.parse(scopeBytes);
await act(acceptWork.action, acceptWork.payload);
const result = Buffer.from(JSON.stringify(Object.fromEntries(schema.required.map((name) => [name, 'done']))));
const deliverableHash = createHash('sha256').update(result).digest('hex');
for (const store of stores) {
  const url = new URL(store + '/blobs/' + deliverableHash), created = Math.floor(Date.now() / 1000);
  const digest = 'sha-256=:' + createHash('sha256').update(result).digest('base64') + ':';
  const terms = process.env.SIGNATURE_INPUT.replace('<unix>', created).replace('<at most 300 later>', created + 300)
    .replace('<fresh>', randomUUID()).replace('<your id>', id);
  const parts = { '@method': 'PUT', '@authority': url.host, '@path': url.pathname, 'content-digest': digest };
  const names = /\\(([^)]*)\\)/.exec(terms)[1].split(' ').map((name) => JSON.parse(name));
  const base = [...names.map((name) => '"' + name + '": ' + parts[name]), '"@signature-params": ' + terms.slice('sig='.length)].join('\\n');
  const headers = { 'content-digest': digest, 'signature-input': terms,
    signature: 'sig=:' + sign(null, Buffer.from(base), key).toString('base64') + ':' };
  const answer = await fetch(url, { method: 'PUT', headers, body: result });
  if (!answer.ok) throw new Error(await answer.text());
}
await act('submitWorkResult', { orderId, agentId: id, deliverableHash });
for (;;) {
  const { order: { status, phase, reason } } = await read('/v1/work-orders/' + orderId);
  if (status === 'PAID' || status === 'REJECTED') { console.log(status, reason); break; }
  if (phase === 'VERIFIED') await act('settleVerifiedWork', { orderId }).catch(() => {});
  await wait(200);
}
`;

test('whoever follows /llms.txt is paid', async (t) => {
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
    '/v1/replicas',
    '{endpoint}/blobs/{scopeHash}',
    '{endpoint}/blobs/{deliverableHash}',
    'settleVerifiedWork',
  ]) {
    assert.ok(text.includes(said), said);
  }
  const folder = join(world.home, 'reader');
  mkdirSync(folder);
  writeFileSync(join(folder, 'agent.mjs'), program + WORK);
  const env = { PATH: process.env['PATH'], NET_URL: url, NET_ID: 'reader', SIGNATURE_INPUT: input };
  const { stdout } = await run(process.execPath, ['agent.mjs'], { cwd: folder, env });
  assert.match(stdout, /^PAID /m);
  assert.equal((await world.orderAt(orderId)).workerId, 'reader');
  const { checks } = (await world.client.read('/v1/work-orders/{orderId}/brief', { orderId }))
    .scope;
  assert.match(checks.join(' '), /\{endpoint\}\/blobs\//);
  assert.doesNotMatch(checks.join(' '), /channel of your own/);
});
