/**
 * Page loads do not grow with the chain: compares a chain with one ten times as large. Also goes back in the time
 * machine, on a chain of 350 blocks.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildLargeChain } from '@netd/bench/large-chain';
import { OPERATOR, workOrderOf } from '@netd/ledger/testing';
import { serve, type RunningNode } from '@netd/node';
import { NetClient } from '@netd/sdk';
import { startGolden } from '@netd/testkit/golden-chain';
import type { HttpNode } from '@netd/testkit/http-node';
import type { Browser, Page } from 'playwright-core';
import { newContext, noBrowser, openBrowser, settled, visit } from './testing/browser.ts';
import { findPages } from './testing/find-pages.ts';
import { LARGE_PAGES, readOn, readToStart, searchFor, whatIsAsked } from './testing/large-chain.ts';

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
/** The newest block of the golden chain is old, and the page says so after it has checked it. */
const HEAD_CHECKED = '.head-proof:is([data-state=consistent], [aria-label="Not the newest block"])';
const STORY_CHECKED = '.latest-job .proof[data-standing=consistent]';
let small: RunningNode;
let large: RunningNode;
/** Four frames of 100 blocks, with jobs that were paid, refused and judged. */
let golden: HttpNode;
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
  golden = await startGolden();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await small?.stop();
  await large?.stop();
  await golden?.stop();
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

test('a page with proofs sends its node fewer than twenty requests', { skip }, async () => {
  const { block, agent, verify } = await findPages(golden.url);
  const orderId = 'handed-round';
  await golden.act(OPERATOR, 'createWorkOrder', workOrderOf(orderId));
  for (let at = 0; at < 8; at++) {
    const worker = `hand-${at}`;
    await golden.join(worker);
    await golden.act(worker, 'acceptWork', { orderId, agentId: worker });
    await golden.act(worker, 'releaseWork', { orderId });
  }
  // Each handover is in a block of its own, so reading each block alone would take more requests.
  const past = `/agents/${OPERATOR}?at=${golden.height}`;
  for (const path of ['/', `/work/${orderId}`, past, block, agent, verify]) {
    const context = await newContext(browser);
    const page = await context.newPage();
    let asked = 0;
    page.on('request', (request) => (asked += Number(request.url().includes('/v1/'))));
    await page.goto(`${golden.url}${path}`);
    await settled(page);
    await page.waitForSelector(HEAD_CHECKED, { state: 'attached' });
    if (path === '/') await page.waitForSelector(STORY_CHECKED);
    await context.close();
    assert.ok(asked > 0 && asked < 20, `${path}: ${asked}`);
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
  await readToStart(page, 20);
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

describe('the front page', () => {
  const audits = (page: Page): (() => number) => {
    let asked = 0;
    page.on('request', (request) => (asked += Number(request.url().endsWith('/audit'))));
    return () => asked;
  };

  test('proves its latest job once, when it is in the window', { skip }, async () => {
    const { page, faults, close } = await visit(browser, `${golden.running.url}/verify`);
    const asked = audits(page);
    await page.setViewportSize({ width: 390, height: 500 });
    await page.clock.install();
    await page.goto(golden.running.url);
    await settled(page);
    const check = page.locator('.latest-job button:text-is("Check this job")');
    await check.waitFor();
    await page.waitForSelector(HEAD_CHECKED, { state: 'attached' });
    // Below the window, no time brings its turn: the timer of a turn would run in the first step, its frame after it.
    for (const _ of ['timers', 'frames']) await page.clock.fastForward(30_000);
    assert.equal(await check.count(), 1);
    assert.equal(asked(), 0);
    await check.scrollIntoViewIfNeeded();
    await page.waitForSelector(STORY_CHECKED);
    assert.equal(asked(), 1);
    // What is not proven says how to check it.
    await page.waitForSelector('.front-scope:has-text("Not checked yet")');
    await page.click('.front-scope a:has-text("Check this picture at block")');
    await page.waitForSelector('.front-scope:has-text("Picture not checked") button');
    await page.waitForSelector('.figures:has-text("Figures not checked")');
    await page.goBack();
    await page.click('.figures button:text-is("Check these figures")');
    await page.waitForSelector('.figures .proof[data-standing=consistent]');
    assert.equal(await page.getByText('Unverified').count(), 0);
    assert.deepEqual(faults, []);
    await close();
  });

  for (const [what, address, change, said] of [
    ['an event of its latest job', /\/v1\/events\?/, /"refund":\d+/g, 'steps'],
    ['the title of its latest job', /\/work-orders\/[^/?]+$/, /Translate a page/g, 'title'],
    ['a figure', /\/v1\/tokenomics/, /"amount":48000004/g, 'earned by agents'],
  ] as const) {
    test(`reports a false answer: ${what}`, { skip }, async () => {
      const { page, close } = await visit(browser, `${golden.running.url}/verify`);
      await page.route(address, async (route) => {
        const response = await route.fetch();
        const [name] = change.source.split(':');
        const lie = change.source.includes(':') ? `${name}:7` : 'Nothing';
        const body = (await response.text()).replaceAll(change, lie);
        await route.fulfill({ response, body });
      });
      await page.goto(golden.running.url);
      await settled(page);
      await page.click('.figures button:text-is("Check these figures")');
      await page.click('.proof[data-standing=failed]');
      await page.waitForSelector(`.proof-why:popover-open:has-text("${said}")`);
      await close();
    });
  }
});

test(
  'an amount of a token is typed in whole tokens, by its proven decimals',
  { skip },
  async () => {
    const { page, faults, close } = await visit(
      browser,
      `${golden.running.url}/developers?show=act&act=transferToken`,
    );
    const simulate = async (tokenId: string, amount: string): Promise<void> => {
      await page.fill('[name=tokenId]', tokenId);
      await page.fill('[name=amount]', amount);
      await page.click('button:text-is("Simulate")');
    };
    await page.getByLabel('Agent', { exact: true }).fill('alice');
    await page.fill('[name=to]', 'bob');
    await simulate('tok-nothing', '0.5');
    await page.waitForSelector('.field-fault:text-is("No token has this id.")');
    await simulate('tok-gold', '0.125');
    await page.waitForSelector('.field-fault:has-text("This token has 2 decimals at most.")');
    await simulate('tok-gold', '0.5');
    await page.waitForSelector('.samples pre:has-text("50")');
    assert.match((await page.textContent('.samples pre')) ?? '', /"amount": ?50\b/);
    await page.route(/\/v1\/state\/proof/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"decimals":2', '"decimals":3');
      await route.fulfill({ response, body });
    });
    await simulate('tok-gold', '0.6');
    await page.waitForSelector('.field-fault:has-text("could not be proven")');
    assert.deepEqual(faults, []);
    await close();
  },
);

describe('the time machine', () => {
  const requester = '.money-picture a:has-text("alice, requester: locked 191.76 NET")';

  test(
    'shows picture, figures and lists of an earlier height, and recomputes them',
    { skip },
    async () => {
      const { page, faults, close } = await visit(browser, `${golden.running.url}/?at=250`);
      await page.waitForSelector(requester);
      await page.waitForSelector(
        '.money-picture a:has-text("bob, worker: earned 24 NET, unpaid 68.88 NET")',
      );
      await page.waitForSelector('.money-picture a:has-text("vlad, juror: 4 votes")');
      await page.waitForSelector('.money-picture .name:has-text("vlad 4 votes")');
      await page.waitForSelector('.lead:has-text("NET is worthless test money.")');
      await page.waitForSelector('.figures div:has-text("jobs paid by #250"):has-text("4")');
      await page.waitForSelector('.figures div:has-text("unpaid, refunded"):has-text("6")');
      await page.waitForSelector('.latest-job li:has-text("carol is paid 12.000001 NET")');
      const jobs = page.locator('.card:has-text("Jobs that ended by block 250") tbody tr');
      await jobs.nth(7).waitFor();
      assert.equal(await jobs.count(), 8);
      assert.match(
        (await jobs.first().innerText()).replaceAll(/\s+/g, ' '),
        /unresolved alice carol Paid 12.000001 NET #219/,
      );
      await page.waitForSelector(
        '.front-scope:has-text("Picture not checked"):has-text("Blocks 0 to 250")',
      );
      const charts = page.locator('.charts');
      await charts.scrollIntoViewIfNeeded();
      await charts.locator('canvas').nth(2).waitFor();
      await page.click('text=Recompute from 251 blocks');
      await page.waitForSelector('.front-scope:has-text("Recomputed here")', { timeout: 60_000 });
      assert.deepEqual(faults, []);
      await close();
    },
  );

  const transitions = /"transitions":/g;
  const frames = /"frames":\[(.*)\](?=,"|})/;
  for (const [name, part, lie, said] of [
    ['its blocks contradict', transitions, '"transitions":1', 'blocks 0 to 99'],
    ['stands twice', frames, '"frames":[$1,$1]', 'overlap'],
  ] as const) {
    test(`reports a frame that ${name}`, { skip }, async () => {
      const { page, close } = await visit(browser, `${golden.running.url}/verify`);
      await page.route(/\/v1\/frames\?.*span=100(&|$)/, async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace(part, lie);
        await route.fulfill({ response, body });
      });
      await page.goto(`${golden.running.url}/?at=120`);
      await page.click('text=Recompute from 121 blocks');
      await page.waitForSelector(
        `.front-scope:has-text("Picture not checked") [role=alert]:has-text("${said}")`,
        { timeout: 60_000 },
      );
      await close();
    });
  }

  test('lists every event up to an earlier height', { skip }, async () => {
    const client = new NetClient({ url: small.url });
    const newest = { before: `${(await client.network()).height + 1}.0`, limit: 300 };
    const at = ((await client.read('/v1/events', newest)).events.at(-1)?.height ?? 0) - 1;
    const { page, faults, close } = await visit(browser, `${small.url}/?at=${at}`);
    await page.getByRole('button', { name: 'Earlier' }).waitFor();
    await readToStart(page, 40);
    await page.waitForSelector('.stream li:last-child .height:text-is("#1")');
    assert.deepEqual(faults, []);
    await close();
  });

  test('reaches from genesis to now, closer on request', { skip }, async () => {
    const { page, faults, close } = await visit(browser, golden.running.url);
    const bars = page.locator('.strip-bars rect');
    await page.waitForSelector('.strip-ends:has-text("Genesis"):has-text("Now")');
    await bars.nth(30).waitFor();
    const handle = page.locator('.time-strip input');
    await handle.fill('150');
    await page.waitForURL(/at=150/);
    await page.waitForSelector('.front-scope:has-text("to 150")');
    await page.click('.time-strip button:text-is("100 blocks")');
    await page.waitForSelector('.strip-ends:has-text("#100"):has-text("#199")');
    await bars.nth(60).waitFor();
    await handle.press('ArrowRight');
    await page.waitForSelector('.strip-now:has-text("#151")');
    await page.click('.at-bar a:text-is("Now")');
    await page.waitForURL(`${golden.running.url}/`);
    assert.deepEqual(faults, []);
    await close();
  });

  test('draws charts of the whole chain, with a table', { skip }, async () => {
    const { page, faults, close } = await visit(browser, `${golden.running.url}/work`);
    const chart = page.locator('.charts > *:has-text("Delivered jobs that were paid")');
    await chart.scrollIntoViewIfNeeded();
    await chart.locator('canvas').waitFor();
    await chart.locator('summary').click();
    await chart.locator('tbody tr').first().waitFor();
    const rows = await chart.locator('tbody tr').allInnerTexts();
    const values = rows.map((row) => row.split('\t').at(-1)?.trim());
    assert.ok(
      rows.length > 30 &&
        values.includes('100 %') &&
        values.includes('0 %') &&
        values.includes('none'),
      rows.join(),
    );
    await chart.locator('text=Save as CSV').waitFor();
    assert.deepEqual(faults, []);
    await close();
  });
});
