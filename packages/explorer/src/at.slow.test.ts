/** Pages at an earlier height, in Chromium, from an honest node and from a lying one. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { hashValue } from '@netd/protocol';
import { AgentKey, NetClient, type Actor, type DocumentOf } from '@netd/sdk';
import { serve, type RunningNode } from '@netd/node';
import { makeFastDevnet } from '@netd/testkit/fast-devnet';
import type { Browser, Page } from 'playwright-core';
import {
  assertNoOverflow,
  noBrowser,
  openBrowser,
  seriousFindings,
  settled,
  visit,
} from './testing/browser.ts';
import { operatorOf } from './testing/operator.ts';

const skip = noBrowser;
const directory = mkdtempSync(join(tmpdir(), 'netd-at-'));
let node: RunningNode;
let browser: Browser;
/** Heights of the steps: wim joins, the operator funds the order, wim accepts it. */
let joined: number;
let funded: number;
let accepted: number;

before(async () => {
  if (skip !== false) return;
  const dataDir = join(directory, 'chain');
  makeFastDevnet(dataDir);
  node = await serve({ host: '127.0.0.1', port: 0, dataDir, blockTime: 1 });
  const client = new NetClient({ url: node.url });
  const operator = await operatorOf(node);
  const wim: Actor = { actorId: 'wim', key: await AgentKey.generate() };
  joined = (await client.register(wim)).height;
  const scopeHash = 'cd'.repeat(32);
  const order = { orderId: 'o-1', title: 'Count words', scopeHash, jobType: 'reading' };
  const terms = { ...order, jury: 'none', funding: 10_000_000 } as const;
  funded = (await client.act(operator, 'createWorkOrder', terms)).height;
  await client.act(operator, 'transfer', { to: 'wim', amount: 5_000_000 });
  const acceptance = { orderId: 'o-1', agentId: 'wim' };
  accepted = (await client.act(wim, 'acceptWork', acceptance)).height;
  await client.act(operator, 'transfer', { to: 'wim', amount: 2_000_000 });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await node?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const orderAt = (height: number): string => `${node.url}/work/o-1?at=${height}`;
const chip = (page: Page): Promise<string | null> => page.textContent('.next-step .chip');

describe('the page of an order at an earlier height', () => {
  test(
    'shows an order before its funding, then open, then accepted, each with a proof',
    { skip },
    async () => {
      const { page, faults, close } = await visit(browser, orderAt(funded - 1));
      await page.waitForSelector(`.empty >> text=This order was funded at block ${funded}`);
      await page.waitForSelector('.proof[data-standing=consistent]');
      await page.click('text=Show that block');
      await page.waitForURL(orderAt(funded));
      await page.waitForSelector('.next-step');
      assert.equal(await chip(page), 'Open');
      assert.equal(await page.locator('.timeline li').count(), 1);
      // The past offers no action.
      assert.equal(await page.getByText('Take this job').count(), 0);
      assert.equal(await page.locator('.lead >> text=wim').count(), 0);
      await page.waitForSelector(`.at-bar:has-text("Block ${funded}") time`);
      // A later block that does not change the order.
      await page.goto(orderAt(accepted - 1));
      await settled(page);
      assert.equal(await chip(page), 'Open');
      await page.click('text=Step after');
      await page.waitForURL(orderAt(accepted));
      await page.waitForSelector('.lead >> text=wim');
      assert.equal(await chip(page), 'In progress');
      await page.waitForSelector('.proof[data-standing=consistent]');
      assert.equal(await page.getByText('Unverified').count(), 0);
      assert.deepEqual(await seriousFindings(page), []);
      await page.setViewportSize({ width: 390, height: 780 });
      await assertNoOverflow(page, 'an order at a height');
      // A time can be "now" too.
      await page.click('.at-bar a:text-is("Now")');
      await page.waitForURL(`${node.url}/work/o-1`);
      await page.waitForSelector('.at-bar', { state: 'detached' });
      assert.deepEqual(faults, []);
      await close();
    },
  );

  test('replays only the steps up to that height', { skip }, async () => {
    const { page, close } = await visit(browser, `${node.url}/work/o-1/replay?at=${funded}`);
    await page.waitForSelector('.player h2:text-is("Step 1 of 1")');
    assert.equal(await chip(page), 'Open');
    await close();
  });
});

type Audit = DocumentOf<'/v1/work-orders/{orderId}/audit'>;

/** Opens the accepted order on a node whose audits `change` alters. */
async function liedOf(change: (audit: Audit) => void): Promise<Awaited<ReturnType<typeof visit>>> {
  const shown = await visit(browser, node.url);
  await shown.page.route(/\/audit$/, async (route) => {
    const response = await route.fetch();
    const { reportHash: _, ...audit } = (await response.json()) as Audit;
    change(audit as Audit);
    await route.fulfill({ response, json: { ...audit, reportHash: hashValue(audit) } });
  });
  await shown.page.goto(orderAt(accepted));
  await settled(shown.page);
  return shown;
}

describe('a lie about an earlier height', () => {
  test('is not verified if an event is altered', { skip }, async () => {
    const { page, close } = await liedOf(({ timeline }) => {
      for (const { data } of timeline.events.slice(0, 1)) Object.assign(data, { funding: 99 });
    });
    await page.waitForSelector('.proof[data-standing=failed]');
    await page.waitForSelector('.next-step >> text=Unverified');
    await close();
  });

  test('is not verified if a block with a step is left out', { skip }, async () => {
    const { page, close } = await liedOf(({ timeline }) => {
      timeline.events = timeline.events.filter(({ type }) => type !== 'WorkAccepted');
    });
    await page.waitForSelector('.proof[data-standing=failed]');
    assert.equal(await chip(page), 'Open');
    await page.waitForSelector('.next-step >> text=Unverified');
    await page.click('.proof');
    assert.match((await page.textContent('.proof-why')) ?? '', /do not match .*workerId/);
    await close();
  });

  test(
    'marks the altered event of an agent, and counts only the proven ones',
    { skip },
    async () => {
      const { page, close } = await visit(browser, node.url);
      await page.route(/\/v1\/events\?.*agent=wim/, async (route) => {
        const response = await route.fetch();
        const feed = (await response.json()) as DocumentOf<'/v1/events'>;
        for (const { type, data } of feed.events) {
          if (type === 'Transferred') Object.assign(data, { amount: 900_000_000 });
        }
        await route.fulfill({ response, json: feed });
      });
      await page.goto(`${node.url}/agents/wim?at=${accepted}`);
      await page.waitForSelector('.proof[data-standing=failed]');
      const transfer = page.locator('.stream li:has-text("sent 900 NET")');
      await transfer.getByText('Unverified').waitFor();
      await page.locator('.stat', { hasText: /^Received0 NET/ }).waitFor();
      assert.equal(await page.locator('.stream .chip:text-is("Unverified")').count(), 1);
      await close();
    },
  );
});

describe('an agent at an earlier height', () => {
  test('has not joined yet, then has what its events prove', { skip }, async () => {
    const { page, faults, close } = await visit(browser, `${node.url}/agents/wim?at=${joined - 1}`);
    await page.waitForSelector(`.empty >> text=This agent joined at block ${joined}`);
    await page.click('text=Show that block');
    await page.waitForSelector('.proof[data-standing=consistent]');
    await page.waitForSelector('.stat:has-text("Received") >> text=/^0/');
    await page.goto(`${node.url}/agents/wim?at=${accepted}`);
    await settled(page);
    await page.waitForSelector('.proof[data-standing=consistent]');
    await page.waitForSelector('.stat:has-text("Received") >> text=/^5/');
    await page.waitForSelector('.stream >> text=wim accepted');
    await page.waitForSelector('dd >> text=Only the newest height');
    assert.deepEqual(await seriousFindings(page), []);
    await page.setViewportSize({ width: 390, height: 780 });
    await assertNoOverflow(page, 'an agent at a height');
    assert.deepEqual(faults, []);
    await close();
  });

  test('can be an account that never joined', { skip }, async () => {
    const { page, close } = await visit(browser, `${node.url}/agents/operator?at=${accepted}`);
    await page.waitForSelector('.stat:has-text("Orders funded") >> text=/^1$/');
    await page.goto(`${node.url}/agents/operator?at=0`);
    await page.waitForSelector(
      '.empty >> text=The first event that the node lists for this account is at block',
    );
    await page.goto(`${node.url}/agents/nobody?at=${accepted}`);
    await page.waitForSelector('.empty >> text=The node lists no event that names this account');
    await close();
  });
});

describe('the height in the address', () => {
  test('stays in every link, and pages that cannot show it say so', { skip }, async () => {
    const { page, faults, close } = await visit(browser, orderAt(accepted));
    await page.click('.nav a:text-is("Agents")');
    await page.waitForURL(`${node.url}/agents?at=${accepted}`);
    await page.waitForSelector('.at-bar >> text=Only the newest height.');
    await page.click('.agent-list a[href^="/agents/wim"]');
    await page.waitForURL(`${node.url}/agents/wim?at=${accepted}`);
    await page.click('.brand');
    await page.waitForURL(`${node.url}/?at=${accepted}`);
    await page.waitForSelector(`.front-scope:has-text("to ${accepted}")`);
    // Search keeps it too, although it is not a link.
    await page.keyboard.press('Control+k');
    await page.waitForSelector('.search[open]');
    await page.fill('[role=combobox]', 'o-1');
    await page.waitForSelector('[role=option][aria-selected=true] >> text=Count words');
    await page.keyboard.press('Enter');
    await page.waitForURL(orderAt(accepted));
    const left = await page.evaluate<string[]>(`[...document.querySelectorAll('a[href]')]
      .map(({ href }) => new URL(href))
      .filter(({ origin, pathname, searchParams }) =>
        origin === location.origin && !pathname.startsWith('/docs') && !searchParams.has('at'))
      .map(({ href }) => href)`);
    // The skip link and the link to the newest height need no height.
    assert.deepEqual(
      left.filter((href) => !href.endsWith('#main')),
      [`${node.url}/work/o-1`],
    );
    assert.deepEqual(faults, []);
    await close();
  });

  test('is refused with a sentence if it is malformed or beyond the newest', { skip }, async () => {
    const { page, close } = await visit(browser, `${node.url}/work/o-1?at=soon%E2%80%AE`);
    await page.waitForSelector('main >> text=“soon⟨U+202E⟩” is not a height.');
    assert.equal(await page.locator('.timeline').count(), 0);
    await page.goto(orderAt(99_999));
    await page.waitForSelector('h1 >> text=No block 99,999');
    await page.waitForSelector('main >> text=This block does not exist yet. The newest block is');
    await page.click('main a:text-is("Now")');
    await page.waitForURL(`${node.url}/work/o-1`);
    await page.waitForSelector('.timeline');
    await close();
  });

  test('can be entered in the menu of a phone', { skip }, async () => {
    const viewport = { width: 360, height: 740 };
    const { page, close } = await visit(browser, `${node.url}/work/o-1`, { viewport });
    await page.click('.tabbar button');
    await page.fill('#at-height', `#${funded}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(orderAt(funded));
    await page.waitForSelector(`.at-bar:has-text("Block ${funded}")`);
    await page.waitForSelector('.menu', { state: 'hidden' });
    await close();
  });
});
