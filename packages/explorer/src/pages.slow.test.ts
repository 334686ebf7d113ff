/** Every page in Chromium, on an empty and on a busy node: light, dark, and on a phone. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { RunningNode } from '@netd/node';
import { plays } from '@netd/protocol/testing';
import { startGolden } from '@netd/testkit/golden-chain';
import type { Browser } from 'playwright-core';
import {
  assertNoOverflow,
  calm,
  movements,
  newContext,
  noBrowser,
  openBrowser,
  seriousFindings,
  settled,
  unseenText,
  visit,
} from './testing/browser.ts';
import { PLACES } from './app/areas.ts';
import { findPages, MAIN_PAGES } from './testing/find-pages.ts';
import { startTwoNodes } from './testing/two-nodes.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = plays([1280, 390], [1440, 1280, 820, 640, 390, 360]);
const skip = noBrowser;
const directory = mkdtempSync(join(tmpdir(), 'netd-explorer-'));
let empty: RunningNode;
let busy: RunningNode;
let browser: Browser;

before(async () => {
  if (skip !== false) return;
  ({ empty, busy } = await startTwoNodes(directory));
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await empty?.stop();
  await busy?.stop();
  rmSync(directory, { recursive: true, force: true });
});

for (const name of ['empty', 'busy'] as const) {
  test(
    `every page of a node that is ${name} says what it knows, and nothing goes wrong`,
    { skip },
    async () => {
      const { url } = name === 'empty' ? empty : busy;
      // A build checks the look only of pages with content; a campaign checks all.
      const isWhole = plays(name === 'busy', true);
      const { page, faults, close } = await visit(browser, url);
      const wide: string[] = [];
      for (const [index, [place, path]] of Object.entries(await findPages(url)).entries()) {
        await page.setViewportSize({ width: 1280, height: 720 });
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        await page.goto(url + path);
        await settled(page);
        assert.deepEqual(faults, [], place);
        assert.equal(await page.locator('[data-standing=failed]').count(), 0, place);
        if (!isWhole) continue;
        // A build checks eight pages in both themes, and alternates between themes for the others. In a campaign,
        // each check covers both.
        const isMain = MAIN_PAGES.includes(place);
        for (const [theme, colorScheme] of THEMES.entries()) {
          if (!plays(isMain || index % 2 === theme, theme === 0)) continue;
          await page.emulateMedia({ colorScheme });
          await calm(page);
          assert.deepEqual(await seriousFindings(page), [], `${place} in ${colorScheme}`);
        }
        assert.deepEqual(await movements(page), [], `${place} with reduced motion`);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 740 });
          await assertNoOverflow(page, place).catch((error: Error) => wide.push(error.message));
        }
        assert.deepEqual(await unseenText(page), [], place);
        assert.deepEqual(faults, [], place);
        assert.equal(await page.locator('[data-standing=failed]').count(), 0, place);
      }
      assert.deepEqual(wide, []);
      // The checks above request reduced motion. Without it the page moves.
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.goto(url);
      await settled(page);
      await page.waitForSelector('.pulse:not([data-state=away]) .dot');
      assert.notDeepEqual(await movements(page), []);
      await close();
    },
  );
}

test('the first page takes less than 150 kB of scripts', { skip }, async () => {
  const { page, scripts, close } = await visit(browser, busy.url);
  assert.ok(scripts() > 20_000 && scripts() < 150_000, `${scripts()} bytes`);
  await page.waitForSelector('.stream li');
  await close();
});

test('the shell is painted while nothing but the page has arrived', { skip }, async () => {
  const context = await newContext(browser);
  const page = await context.newPage();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\.(js|css)$|\/v1\//, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(busy.url, { waitUntil: 'commit' });
  await page.waitForSelector('.front-title');
  await page.evaluate(`new Promise((resolve) => {
    new PerformanceObserver(() => resolve()).observe({ type: 'paint', buffered: true });
  })`);
  assert.equal(await page.locator('main').count(), 0, 'the page itself has not arrived');
  release();
  await settled(page);
  const blocking = await page.evaluate<string[]>(`performance.getEntriesByType('resource')
    .filter(({ renderBlockingStatus }) => renderBlockingStatus === 'blocking')
    .map(({ name }) => name)`);
  assert.deepEqual(blocking, []);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
});

/** 50 kB/s and 400 ms latency. */
const SLOW = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
};
/** Records the layout shifts of a page, with the classes of the elements that moved. */
const SHIFTS = `globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    const moved = sources.map(({ node }) => node?.className || node?.nodeName).join(' | ');
    if (!hadRecentInput) shifts.push([value, moved]);
  }
}).observe({ type: 'layout-shift', buffered: true })`;

test('pages do not shift while they load over a slow network', { skip }, async (t) => {
  const golden = await startGolden();
  t.after(() => golden.stop());
  const pages = Object.entries(await findPages(golden.url));
  const few = pages.filter(([place]) =>
    ['now', 'work', 'blocks', 'network', 'run'].includes(place),
  );
  const moved: string[] = [];
  const widths = plays([1280], [1280, 390]);
  const visits = plays(few, pages).flatMap((one) =>
    widths.map((width) => [width, ...one] as const),
  );
  for (const [width, place, path] of visits) {
    const context = await newContext(browser, { viewport: { width, height: 720 } });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.emulateNetworkConditions', SLOW);
    await page.addInitScript(SHIFTS);
    await page.goto(golden.url + path);
    await settled(page);
    const shifts = await page.evaluate<[number, string][]>('shifts');
    const sum = shifts.reduce((total, [value]) => total + value, 0);
    if (sum > 0.03) moved.push(`${place} ${width} wide: ${JSON.stringify(shifts)}`);
    await context.close();
  }
  assert.deepEqual(moved, []);
});

test(
  'a phone reaches every page, the colors and the height with two touches',
  { skip },
  async () => {
    const viewport = { width: 360, height: 740 };
    const { page, faults, close } = await visit(browser, busy.url, { viewport });
    for (const always of ['.pulse strong', '.head-proof', '.run', '.wallet-link']) {
      await page.waitForSelector(always);
    }
    await page.waitForSelector('.head-proof[data-state=consistent]');
    for (const [to] of PLACES) {
      // The top bar shows both.
      if (to === '/wallet' || to === '/run') continue;
      await page.click('.tabbar button');
      await page.click(`.menu a[href="${to}"]`);
      await page.waitForURL(busy.url + to);
      await page.waitForSelector('.menu', { state: 'hidden' });
      await page.waitForFunction(
        `document.querySelectorAll('.nav a[aria-current=page]').length === 1`,
      );
    }
    await page.click('.tabbar button');
    await page.click('.theme button:text-is("Dark")');
    assert.deepEqual(await seriousFindings(page), []);
    await page.keyboard.press('Escape');
    await settled(page);
    assert.deepEqual(faults, []);
    await close();
  },
);
