/** The pages in Chromium, behind a proxy that serves the node below a path and removes it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serve, type RunningNode } from '@netd/node';
import { AgentKey, NetClient, type Actor } from '@netd/sdk';
import type { Browser } from 'playwright-core';
import { noBrowser, openBrowser, settled, visit } from './testing/browser.ts';
import { operatorOf } from './testing/operator.ts';

const skip = noBrowser;
const PATH = '/net';
const home = mkdtempSync(join(tmpdir(), 'netd-under-a-path-'));
/** Paths that the proxy received. */
const asked = new Set<string>();
let proxy: Server;
let node: RunningNode;
let client: NetClient;
let browser: Browser;
let ada: Actor;

/** Behaves as nginx with `location /net/ { proxy_pass http://127.0.0.1:8420/; }`. */
function startProxy(): Server {
  return createServer((incoming, answer) => {
    const { url = '', method, headers } = incoming;
    asked.add(url);
    if (!url.startsWith(`${PATH}/`)) {
      answer.writeHead(404).end();
      return;
    }
    const passed = request(
      new URL(node.url + url.slice(PATH.length)),
      { method, headers },
      (told) => {
        answer.writeHead(told.statusCode ?? 502, told.headers);
        told.pipe(answer);
      },
    );
    answer.on('close', () => passed.destroy());
    passed.on('error', () => answer.destroy());
    incoming.pipe(passed);
  });
}

before(async () => {
  if (skip !== false) return;
  proxy = startProxy();
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const publicUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${PATH}`;
  const dataDir = join(home, 'node');
  node = await serve({ host: '127.0.0.1', port: 0, dataDir, blockTime: 1, publicUrl });
  client = new NetClient({ url: publicUrl });
  const operator = await operatorOf(node);
  ada = { actorId: 'ada', key: await AgentKey.generate() };
  await client.register(ada, { description: 'reads papers' });
  await client.act(operator, 'createWorkOrder', {
    orderId: 'order-1',
    title: 'Summarise twelve papers',
    scopeHash: 'cd'.repeat(32),
    jobType: 'reading',
    requirements: ['reading'],
    jury: 'none',
    funding: 10_000_000,
  });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  proxy?.closeAllConnections();
  proxy?.close();
  await node?.stop();
  rmSync(home, { recursive: true, force: true });
});

test('explorer, wallet and documentation stay below the path of the proxy', { skip }, async () => {
  const root = client.url;
  const { page, faults, close } = await visit(browser, `${root}/work/order-1`);
  await page.locator('h1 >> text=Summarise twelve papers').waitFor();
  await page.click('.nav a:text-is("Live")');
  await page.waitForURL(`${root}/`);
  await page.waitForSelector('.nav a[aria-current=page]:text-is("Live")');
  await settled(page);
  await client.act(ada, 'acceptWork', { orderId: 'order-1', agentId: 'ada' });
  await page.locator('.stream li:has-text("accepted")').waitFor();
  assert.ok([...asked].some((path) => path.startsWith(`${PATH}/explorer/feed-worker-`)));
  const proof = page.waitForResponse(/\/v1\/state\/proof\?key=order/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('order-1');
  // The proof of the exact id, which tells no title, may arrive before the list that does, or after it.
  await proof;
  await page.locator('[role=option][aria-selected=true] >> text=Summarise').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${root}/work/order-1`);

  await page.goto(`${root}/wallet`);
  await page.getByRole('heading', { name: 'Create a key and join' }).waitFor();

  await page.goto(`${root}/verify`);
  await settled(page);
  await page.getByText('explorer/index-').first().waitFor();
  await page.goto(`${root}/docs/guides/hire`);
  await page.keyboard.press('/');
  await page.keyboard.type('createWorkOrder');
  await page.click('#found a[href$="/docs/actions/createWorkOrder"]');
  await page.waitForURL(`${root}/docs/actions/createWorkOrder`);
  await page.click('.sidebar a:text-is("Explorer")');
  await page.waitForURL(`${root}/`);
  await settled(page);
  assert.deepEqual(faults, []);

  // The cookie of named origins is only for this node, not for others on its host.
  await page.goto(`${root}/verify`);
  await page.getByLabel('Another node').fill(node.url);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.locator(`.plain-list li >> text=${node.url}`).first().waitFor();
  const cookies = await page.context().cookies();
  assert.deepEqual(
    cookies.map(({ path }) => path),
    [PATH],
  );
  assert.deepEqual(
    [...asked].filter((path) => !path.startsWith(`${PATH}/`)),
    [],
  );
  await close();
});

test('the same pages work on the port of the node itself', { skip }, async () => {
  const { page, faults, close } = await visit(browser, `${node.url}/work/order-1`);
  await page.locator('h1 >> text=Summarise twelve papers').waitFor();
  await page.goto(`${node.url}/docs/guides/hire`);
  await page.click('.sidebar a:text-is("Explorer")');
  await page.waitForURL(`${node.url}/`);
  await settled(page);
  assert.deepEqual(faults, []);
  await close();
});
