/**
 * A visitor of a devnet's page: one click starts the demo, another runs an agent in a worker, which a house
 * pays.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { NetClient } from '@netd/sdk';
import type { Browser } from 'playwright-core';
import { noBrowser, openBrowser, seriousFindings, visit } from './testing/browser.ts';
import { startDevnet, type Devnet } from './testing/netd.ts';

const skip = noBrowser;
let devnet: Devnet;
let browser: Browser;

before(async () => {
  if (skip !== false) return;
  devnet = await startDevnet();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await devnet?.stop();
});

test('a visitor starts an agent, and sees it paid for a job of the house', { skip }, async (t) => {
  const { page, faults, close } = await visit(browser, devnet.url);
  await page.getByRole('link', { name: 'Run an agent' }).first().click();
  await page.getByLabel('Name').fill('visitor-one');
  assert.deepEqual(await seriousFindings(page), []);
  const begin = performance.now();
  const took = (what: string): void =>
    t.diagnostic(`${what} after ${Math.round((performance.now() - begin) / 1_000)} s`);
  await page.getByRole('button', { name: 'Start the agent' }).click();
  await page.getByText('takes the job').waitFor();
  took('accepted');
  await page.waitForSelector('[data-stage=paid]');
  took('paid');
  await page.waitForSelector('.proof[data-standing=consistent]');
  await page.getByText('Your agent was paid').waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  const client = new NetClient({ url: devnet.url });
  const { account, sessions } = await client.read('/v1/agents/{agentId}', {
    agentId: 'visitor-one',
  });
  assert.ok(account.balance > 0);
  assert.deepEqual(
    sessions.map(({ budget }) => budget),
    [0],
  );
  // A reload starts nothing, and the keys are still there for the program.
  await page.reload();
  await page.waitForSelector('[data-stage=paid]');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save visitor-one.json' }).click(),
  ]);
  const saved = JSON.parse(readFileSync(await file.path(), 'utf8')) as { actorId: string };
  assert.equal(saved.actorId, 'visitor-one');
  await page.getByText('const agent = await Agent.open').waitFor();
  await page.getByRole('link', { name: 'Python' }).click();
  await page.getByText('agent = Agent.open').waitFor();
  // The worker asks the node's own stores, as the page says.
  const { beacons } = await client.read('/v1/discovery', { capability: 'blobs' });
  const ports = beacons.map(({ endpoint }) => new URL(endpoint).port);
  assert.ok(ports.length > 0);
  const others = faults.filter(
    (fault) => !ports.some((port) => fault.startsWith(`asks http://127.0.0.1:${port}/`)),
  );
  assert.deepEqual(others, []);
  await close();
});

test('a taken name is refused, and another agent can start', { skip }, async () => {
  const { page, close } = await visit(browser, `${devnet.url}/run`);
  await page.getByLabel('Name').fill('house-echo');
  await page.getByRole('button', { name: 'Start the agent' }).click();
  await page.waitForSelector('[data-stage=failed] [role=alert]');
  const said = await page.locator('[data-stage=failed]').innerText();
  assert.doesNotMatch(said, /Try again|Save/);
  await page.getByRole('button', { name: 'Start another agent' }).click();
  await page.getByRole('button', { name: 'Start the agent' }).waitFor();
  await close();
});

test('an agent whose worker was lost keeps its key, and goes on with it', { skip }, async () => {
  const { page, close } = await visit(browser, `${devnet.url}/run`);
  const worker = '**/runner-worker-*.js';
  await page.route(worker, (route) => route.abort());
  await page.getByLabel('Name').fill('visitor-two');
  await page.getByRole('button', { name: 'Start the agent' }).click();
  await page.waitForSelector('[data-stage=failed]');
  const save = page.getByRole('button', { name: 'Save visitor-two.json' });
  const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const { publicKeyHash } = JSON.parse(readFileSync(await file.path(), 'utf8')) as {
    publicKeyHash: string;
  };
  const client = new NetClient({ url: devnet.url });
  const { agent } = await client.read('/v1/agents/{agentId}', { agentId: 'visitor-two' });
  assert.equal(agent.publicKeyHash, publicKeyHash);
  assert.deepEqual(await seriousFindings(page), []);
  await page.unroute(worker);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('takes the job').waitFor();
  await close();
});

test('the worker of an agent reaches no foreign origin', { skip }, async (t) => {
  const foreign = createServer((socket) => socket.destroy());
  foreign.listen(0, '127.0.0.1');
  await once(foreign, 'listening');
  t.after(() => foreign.close());
  let contacts = 0;
  foreign.on('connection', () => contacts++);
  const { port } = foreign.address() as AddressInfo;
  const { page, close } = await visit(browser, `${devnet.url}/run`);
  const starting = page.waitForEvent('worker', (worker) => worker.url().includes('runner-worker'));
  await page.getByLabel('Name').fill('visitor-three');
  await page.getByRole('button', { name: 'Start the agent' }).click();
  const worker = await starting;
  const [own, other] = await worker.evaluate(
    (urls) =>
      Promise.all(
        urls.map((url) =>
          fetch(url, { mode: 'no-cors' }).then(
            () => 'answered',
            (error: Error) => error.message,
          ),
        ),
      ),
    [devnet.facts().blobs[0]?.url ?? '', `http://127.0.0.1:${port}`],
  );
  assert.equal(own, 'answered');
  assert.match(other ?? '', /Failed to fetch|Content Security Policy/);
  assert.equal(contacts, 0);
  await close();
});

test('the brief of a job of the house is read without a click', { skip }, async () => {
  const { page, close } = await visit(browser, `${devnet.url}/work/${await houseOrder()}`);
  await page.waitForSelector('[data-scope=read]');
  await close();
  // The stores have addresses of this machine, so readers behind a proxy must not be sent there.
  const headers = { accept: 'text/html', 'x-forwarded-for': '192.0.2.1' };
  const forwarded = await fetch(`${devnet.url}/work`, { headers });
  assert.match(forwarded.headers.get('content-security-policy') ?? '', /; connect-src 'self';/);
});

test('the printed link starts the demo with one click, once', { skip }, async (t) => {
  const [link = ''] = /http:\S+#demo=[0-9a-f]{32}/.exec(devnet.said()) ?? [];
  await refuses('f'.repeat(32));
  // The demo uses the stores that are there when it starts.
  await houseOrder();
  const { page, close } = await visit(browser, link);
  assert.equal(new URL(page.url()).hash, '');
  await page.getByRole('button', { name: 'Start the demo' }).click();
  await page.getByText('The demo has started.').waitFor();
  await refuses(link.slice(-32));
  await page.waitForSelector('.stream >> text=rita');
  await page.reload();
  await page.getByText('The demo has started.').waitFor();
  // A demo without a store fails, and its page says so.
  t.after(await takeStore());
  await page.waitForSelector('[role=alert] >> text=/The demo has failed.*Reason: .*store/');
  assert.deepEqual(await seriousFindings(page), []);
  await close();
  const without = await visit(browser, devnet.url);
  assert.equal(await without.page.getByRole('button', { name: 'Start the demo' }).count(), 0);
  await without.close();
});

test('a page whose demo was killed with its node says so', { skip }, async () => {
  const other = await startDevnet('--house', 'none');
  const [link = ''] = /http:\S+#demo=[0-9a-f]{32}/.exec(other.said()) ?? [];
  const { page, close } = await visit(browser, link);
  await page.getByRole('button', { name: 'Start the demo' }).click();
  await page.getByText('The demo has started.').waitFor();
  await other.stop('SIGKILL');
  await page.waitForSelector('[role=alert] >> text=so the demo may have ended too');
  await close();
});

/** Kills a store and occupies its port, so that it cannot restart. Returns a function that frees the port. */
async function takeStore(): Promise<() => void> {
  const [store] = devnet.facts().blobs;
  assert.ok(store);
  process.kill(store.pid, 'SIGKILL');
  const taker = createServer((socket) => socket.destroy());
  const port = Number(new URL(store.url).port);
  for (;;) {
    const taken = once(taker, 'listening');
    taker.listen(port, '127.0.0.1');
    const done = await taken.then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'EADDRINUSE',
    );
    if (done) return () => taker.close();
  }
}

/** Waits until the house offers a job. */
async function houseOrder(): Promise<string> {
  const client = new NetClient({ url: devnet.url });
  const requesterId = 'house-requester';
  for await (const _ of client.events({ agent: requesterId, after: '0.0' })) {
    const { orders } = await client.read('/v1/work-orders', { requesterId });
    if (orders[0]) return orders[0].orderId;
  }
  throw new Error('The feed ended.');
}

async function refuses(token: string): Promise<void> {
  const response = await fetch(`${devnet.url}/explorer-demo`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: token,
  });
  assert.equal(response.status, 403);
}
