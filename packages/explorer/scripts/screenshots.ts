/**
 * Pictures of every page, in light, dark and on a phone, of a node that is asked for or of one that is started here with a demo.
 *
 *   npm run screenshots -w @netd/explorer -- [--url http://127.0.0.1:8420] [--out folder] [page…]
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import { findPages } from '../src/testing/find-pages.ts';

const VIEWS = [
  { name: 'light', width: 1360, height: 900, colorScheme: 'light' },
  { name: 'dark', width: 1360, height: 900, colorScheme: 'dark' },
  { name: 'phone', width: 360, height: 780, colorScheme: 'light' },
] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string', default: 'http://127.0.0.1:8420' }, out: { type: 'string' } },
});
const out = resolve(values.out ?? mkdtempSync(join(tmpdir(), 'netd-screenshots-')));
mkdirSync(out, { recursive: true });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
try {
  const pages = await findPages(values.url);
  for (const [name, path] of Object.entries(pages)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    for (const view of VIEWS) await shoot(browser, view, name, path);
  }
} finally {
  await browser.close();
}
console.log(out);

async function shoot(
  from: Browser,
  { name: look, width, height, colorScheme }: (typeof VIEWS)[number],
  name: string,
  path: string,
): Promise<void> {
  const page = await from.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(values.url + path);
  // By selectors: the page's policy forbids what would evaluate a text in it.
  await page.waitForSelector('main h1');
  for (const busy of ['main [aria-busy]', '[data-standing=proving]']) {
    await page
      .waitForSelector(busy, { state: 'detached', timeout: 15_000 })
      .catch(() => console.error(`${name} (${look}) still loads something`));
  }
  await page.screenshot({ path: join(out, `${name}-${look}.png`), fullPage: look === 'phone' });
  await page.close();
}
