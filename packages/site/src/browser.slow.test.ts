/** The documentation in Chromium: phone, dark mode, no scripts, accessibility. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  assertNoOverflow,
  noBrowser,
  openBrowser,
  seriousFindings,
  visit,
} from '@netd/explorer/testing';
import { serve, type RunningNode } from '@netd/node';
import { plays } from '@netd/protocol/testing';
import type { Browser } from 'playwright-core';
import { ROOT } from './page.ts';

const isBuilt = existsSync(join(ROOT, 'packages/site/dist/manifest.json'));
const skip = isBuilt ? noBrowser : 'the documentation has not been built: npm run build';
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
/** One page of each kind. */
const PAGES = [
  '/docs',
  '/docs/guides/hire',
  '/docs/concepts/order',
  '/docs/standards',
  '/docs/api/getWorkOrder',
  '/docs/actions/createWorkOrder',
  '/docs/events/WorkOrderPaid',
  '/docs/errors/ACCOUNT_NOT_FOUND',
  '/docs/tools/agent_pay',
  '/docs/commands/dev',
  '/docs/python',
  '/docs/javascript',
];

const home = mkdtempSync(join(tmpdir(), 'netd-docs-'));
let node: RunningNode;
let browser: Browser;
before(async () => {
  if (skip !== false) return;
  node = await serve({ host: '127.0.0.1', port: 0, dataDir: home });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await node?.stop();
  rmSync(home, { recursive: true, force: true });
});

test(
  'every kind of page is accessible, in the light, and in the dark on a phone, which it fits',
  { skip },
  async () => {
    for (const [way, options] of [{}, { ...PHONE, colorScheme: 'dark' as const }].entries()) {
      const { page, faults, close } = await visit(browser, `${node.url}/docs`, options);
      for (const [index, path] of PAGES.entries()) {
        await page.goto(node.url + path);
        const where = `${path} ${JSON.stringify(options)}`;
        // A build looks for findings of each page once, in one of the two ways.
        if (plays(index % 2 === way, true))
          assert.deepEqual(await seriousFindings(page), [], where);
        await assertNoOverflow(page, where);
      }
      assert.deepEqual(faults, []);
      await close();
    }
  },
);

test('search works by keyboard without leaving the page', { skip }, async () => {
  const { page, faults, close } = await visit(browser, `${node.url}/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type('escrow order');
  await page.waitForSelector('#found a[href$="/docs/concepts/order"]');
  await page.fill('#search input', 'ACCOUNT_NOT_FOUND');
  await page.waitForSelector('#found li:first-child a[href$="/docs/errors/ACCOUNT_NOT_FOUND"]');
  await page.fill('#search input', 'work ofer');
  await page.waitForSelector('#found a[href$="/docs/commands/work-offer"]');
  await page.fill('#search input', 'zzzzqqqq');
  await page.waitForSelector('#found .none');
  await page.fill('#search input', 'transfer');
  await page.waitForSelector('#found a');
  await page.keyboard.press('ArrowDown');
  await Promise.all([page.waitForURL('**/docs/**'), page.keyboard.press('Enter')]);
  assert.match(page.url(), /transfer/i);
  assert.deepEqual(faults, []);
  await close();
});

test(
  'a language that is chosen once is shown on the next page, and code is copied whole',
  { skip },
  async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, faults, close } = await visit(browser, `${node.url}/docs/actions/transfer`, {
      permissions,
    });
    const shown = '.samples >> nth=0 >> figure:not([hidden])';
    assert.match((await page.textContent(`${shown} >> pre`)) ?? '', /^curl/);
    await page.click('.tabs >> nth=0 >> button:text-is("Python")');
    await page.goto(`${node.url}/docs/actions/faucet`);
    const code = (await page.textContent(`${shown} >> pre`)) ?? '';
    assert.match(code, /^from netsdk/);
    await page.click(`${shown} >> .copy`);
    await page.waitForSelector('.copy:text-is("Copied")');
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), code);
    assert.deepEqual(faults, []);
    await close();
  },
);

test('without scripts everything but the search is there', { skip }, async () => {
  const options = { ...PHONE, javaScriptEnabled: false };
  const { page, faults, close } = await visit(
    browser,
    `${node.url}/docs/actions/transfer`,
    options,
  );
  for (const language of ['curl', 'TypeScript', 'Python', 'netd']) {
    const block = page.locator(`.samples >> nth=0 >> figure[data-language="${language}"]`);
    assert.ok(await block.isVisible(), language);
  }
  assert.equal(await page.locator('.copy, #search input').count(), 0);
  assert.ok(!(await page.isVisible('#contents')));
  await page.click('.menu');
  assert.ok(await page.isVisible('#contents'));
  await page.click('#contents a[href$="/docs/guides/hire"]');
  await page.waitForURL('**/docs/guides/hire');
  assert.deepEqual(faults, []);
  await close();
});

test('the choice made in the explorer applies here', { skip }, async () => {
  const { page, close } = await visit(browser, `${node.url}/docs`);
  const ground = (): Promise<string> =>
    page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  const light = await ground();
  await page.evaluate(`localStorage.setItem('netd:theme', '"dark"')`);
  await page.reload();
  assert.notEqual(await ground(), light);
  await close();
});
