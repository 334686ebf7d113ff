/** Lies that pages once took for proven, told to them in Chromium. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashValue } from '@netd/protocol';
import { AgentKey, NetClient, type Actor } from '@netd/sdk';
import { serve, type RunningNode } from '@netd/node';
import { makeFastDevnet } from '@netd/testkit/fast-devnet';
import type { Browser, Page } from 'playwright-core';
import { newContext, noBrowser, openBrowser, visit } from './testing/browser.ts';
import { operatorOf } from './testing/operator.ts';

const skip = noBrowser;
const directory = mkdtempSync(join(tmpdir(), 'netd-lies-'));
let node: RunningNode;
let client: NetClient;
let browser: Browser;
/** Height of a block with a transfer and the funding of the order. */
let height: number;

before(async () => {
  if (skip !== false) return;
  const dataDir = join(directory, 'chain');
  makeFastDevnet(dataDir);
  node = await serve({ host: '127.0.0.1', port: 0, dataDir, blockTime: 1 });
  client = new NetClient({ url: node.url });
  const operator = await operatorOf(node);
  const wim: Actor = { actorId: 'wim', key: await AgentKey.generate() };
  await client.register(wim);
  await client.act(operator, 'transfer', { to: 'wim', amount: 5_000_000 });
  const scopeHash = 'cd'.repeat(32);
  const order = { orderId: 'o-1', title: 'Count words', scopeHash, jobType: 'reading' };
  ({ height } = await client.act(operator, 'createWorkOrder', {
    ...order,
    jury: 'none',
    funding: 10_000_000,
  }));
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await node?.stop();
  rmSync(directory, { recursive: true, force: true });
});

type Document = Record<string, unknown>;

/** Opens a page of a node whose answers at these addresses `change` alters. */
async function lied(
  path: string,
  address: RegExp,
  change: (document: Document) => Document,
): Promise<{ page: Page; close: () => Promise<void> }> {
  const { page, close } = await visit(browser, node.url);
  await page.route(address, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as Document) });
  });
  await page.goto(node.url + path);
  return { page, close };
}

const failed = (page: Page): Promise<unknown> =>
  page.waitForSelector('.proof[data-standing=failed]');

test('does not call terms of an order proven that the state does not have', { skip }, async () => {
  const { page, close } = await lied('/work/o-1', /\/audit$/, ({ reportHash: _, ...audit }) => {
    const { jury: __, ...order } = audit['order'] as Document;
    const told = { ...audit, order };
    return { ...told, reportHash: hashValue(told) };
  });
  await failed(page);
  await page.click('.proof');
  assert.match((await page.textContent('.proof-why')) ?? '', /of this order: jury/);
  await close();
});

test('does not take the place of a transition in its block from the node', { skip }, async () => {
  const address = new RegExp(`/v1/blocks/${height}$`);
  const { page, close } = await lied(`/blocks/${height}`, address, (block) => ({
    ...block,
    transitions: (block['transitions'] as Document[]).map((one) => ({ ...one, index: 7 })),
  }));
  await failed(page);
  await close();
});

test('checks a certificate against the hash that was pasted', { skip }, async () => {
  const { page, close } = await visit(browser, node.url);
  await page.route(/\/v1\/consensus\/certificates\//, async (route) => {
    const { certificate } = await client.read('/v1/blocks/{height}', { height });
    await route.fulfill({ json: certificate });
  });
  await page.goto(`${node.url}/verify`);
  await page.fill('#pasted', 'ab'.repeat(32));
  await page.getByText('The chain has a different certificate').waitFor();
  await close();
});

test('finds a record that the node denies', { skip }, async () => {
  const { page, close } = await visit(browser, node.url);
  const denial = { status: 404, code: 'WORK_ORDER_NOT_FOUND', title: 'Unknown order', detail: 'x' };
  await page.route(/\/audit$/, (route) =>
    route.fulfill({ status: 404, contentType: 'application/problem+json', json: denial }),
  );
  await page.goto(`${node.url}/work/o-1`);
  await page.getByText('The node denies what it can prove.').waitFor();
  await page.goto(`${node.url}/work/o-2`);
  await page.getByText('Your browser has checked this').waitFor();
  await close();
});

test('says that a block is not proven if the node shows a far higher one', { skip }, async () => {
  const { page, close } = await lied('/', /\/v1\/network$/, (network) => ({
    ...network,
    height: Number(network['height']) + 1_000_000,
  }));
  await page.waitForSelector('.head-proof[data-state=unproven]');
  assert.match(
    (await page.getAttribute('.head-proof', 'title')) ?? '',
    /it has proven none after block/,
  );
  await close();
});

test('doubts the head of a node that always answers as before', { skip }, async () => {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.clock.install();
  const first = new Map<string, string>();
  await page.route('**/v1/**', async (route) => {
    const url = route.request().url();
    const body = first.get(url) ?? (await (await route.fetch()).text());
    first.set(url, body);
    await route.fulfill({ body });
  });
  await page.goto(`${node.url}/verify`);
  await page.waitForSelector('.head-proof[data-state=consistent]');
  await page.clock.fastForward('00:20:00');
  await page.clock.runFor(1_000);
  await page.waitForSelector('.head-proof[data-state=unproven]');
  assert.match(
    (await page.getAttribute('.head-proof', 'title')) ?? '',
    /The newest block that the node has proven is 20 min old/,
  );
  await context.close();
});

test('finds guardians that the state does not have', { skip }, async () => {
  const recovery = { guardians: ['wim'], threshold: 1, nextGuardians: null, pending: null };
  const { page, close } = await lied('/agents/wim', /\/v1\/agents\/wim$/, (document) => ({
    ...document,
    recovery,
  }));
  await failed(page);
  await page.click('.proof');
  assert.match((await page.textContent('.proof-why')) ?? '', /of this agent: guardians/);
  await close();
});

test('says that a node that gives no events has not shown an empty chain', { skip }, async () => {
  const { page, close } = await visit(browser, node.url);
  await page.route(/\/v1\/events\?/, (route) => route.fulfill({ status: 500, body: '' }));
  await page.goto(node.url);
  await page.getByText('No event could be read').waitFor();
  assert.equal(await page.getByText('Nothing has happened yet').count(), 0);
  await close();
});
