/** Requests of pages do not grow with the chain: compares a chain with one ten times as large. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildLargeChain } from '@netd/bench/large-chain';
import { serve, type RunningNode } from '@netd/node';
import type { Browser } from 'playwright-core';
import { noBrowser, openBrowser, visit } from './testing/browser.ts';
import { LARGE_PAGES, readOn, searchFor, whatIsAsked } from './testing/large-chain.ts';

const skip = noBrowser;
const directory = mkdtempSync(join(tmpdir(), 'netd-large-chain-'));
/** On both chains, lists are longer than a page. */
const SMALL = { agents: 150, orders: 150, events: 450 };
const LARGE = { agents: 1_500, orders: 1_500, events: 4_500 };
/**
 * The rest is left to `npm run large-chain -w @netd/explorer`. The proof of an order takes the block that made it, which is as large as
 * the load was, not the chain.
 */
const COMPARED = ['now', 'agents', 'agents by name', 'agent', 'work', 'open work'];
let small: RunningNode;
let large: RunningNode;
let browser: Browser;

before(async () => {
  if (skip !== false) return;
  const start = async (name: string, size: typeof SMALL): Promise<RunningNode> => {
    const dataDir = join(directory, name);
    await buildLargeChain(dataDir, size);
    return serve({ host: '127.0.0.1', port: 0, dataDir });
  };
  small = await start('small', SMALL);
  large = await start('large', LARGE);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await small?.stop();
  await large?.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('pages ask a large chain for no more than a small one', { skip }, async () => {
  for (const name of COMPARED) {
    const path = LARGE_PAGES[name] ?? '';
    const [few, many] = [
      await whatIsAsked(browser, small.url + path),
      await whatIsAsked(browser, large.url + path),
    ];
    assert.ok(few.documents > 0, name);
    assert.ok(
      many.documents <= few.documents && many.bytes <= 1.25 * few.bytes,
      `${name}: ${JSON.stringify(many)} instead of ${JSON.stringify(few)}`,
    );
  }
});

test('the search asks a large chain for no more than a small one', { skip }, async () => {
  const search = (node: RunningNode) =>
    whatIsAsked(browser, `${node.url}/verify`, (page) => searchFor(page, 'agent-1'));
  const [few, many] = [await search(small), await search(large)];
  assert.ok(
    many.documents <= few.documents && many.bytes <= 1.25 * few.bytes,
    `${JSON.stringify(many)} instead of ${JSON.stringify(few)}`,
  );
});

test('the stream is read backwards, page after page, to the first event', { skip }, async () => {
  const { page, close } = await visit(browser, `${small.url}/?show=trouble`);
  const none = page.getByText('Nothing among the last 300 events');
  await none.waitFor();
  const earlier = page.getByRole('button', { name: 'Earlier' });
  await earlier.click();
  await none.waitFor({ state: 'detached' });
  await page.click('.tabs a:text-is("Everything")');
  const lines = page.locator('.stream li');
  // Registrations come first on this chain, grouped in one line.
  const first = lines.locator('text=and 149 more like it').last();
  for (let turn = 0; turn < 20 && (await earlier.count()) > 0; turn++) {
    await earlier.click();
    await page.waitForSelector('.more .button:text-is("Reading…")', { state: 'detached' });
  }
  await first.waitFor();
  assert.equal(await earlier.count(), 0);
  await close();
});

test('further pages of a list come below those that are there', { skip }, async () => {
  const { page, faults, close } = await visit(browser, `${large.url}/agents`);
  const first = await page.textContent('.agent-list li a');
  await readOn(page, 2);
  assert.equal(await page.locator('.agent-list li').count(), 150);
  assert.equal(await page.textContent('.agent-list li a'), first);
  assert.deepEqual(faults, []);
  await close();
});
