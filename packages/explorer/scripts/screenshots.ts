/**
 * Takes screenshots of every page in light, dark and on a phone.
 *
 * npm run screenshots -w @netd/explorer -- [--url http://127.0.0.1:8420] [--out folder] [--readme] [page…]
 * npm run screenshots                  renews the committed pictures, which looks.slow.test.ts compares
 *
 * Without a URL, it starts a node with a house and a demo, and removes it afterwards. `--readme` makes the
 * README's pictures in docs/images.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Page } from 'playwright-core';
import { findPages } from '../src/testing/find-pages.ts';
import { keepLooks, looks } from '../src/testing/looks.ts';
import { startDevnet, type Devnet } from '../src/testing/netd.ts';

const VIEWS = [
  { name: 'light', width: 1360, height: 900, colorScheme: 'light' },
  { name: 'dark', width: 1360, height: 900, colorScheme: 'dark' },
  { name: 'phone', width: 390, height: 844, colorScheme: 'light' },
] as const;

/** With their theme. */
const FOR_README: Record<string, 'light' | 'dark' | undefined> = {
  now: 'light',
  order: 'dark',
  agent: 'light',
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    out: { type: 'string' },
    readme: { type: 'boolean', default: false },
    committed: { type: 'boolean', default: false },
  },
});
if (values.committed) {
  await keepLooks(looks());
  process.exit();
}
const IMAGES = join(import.meta.dirname, '../../../docs/images');
const out = values.readme
  ? IMAGES
  : resolve(values.out ?? mkdtempSync(join(tmpdir(), 'netd-screenshots-')));
mkdirSync(out, { recursive: true });
const own = values.url === undefined ? await startDemo() : null;
const url = values.url ?? own?.url ?? '';
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
try {
  const pages = await findPages(url);
  for (const [name, path] of Object.entries(pages)) {
    if (values.readme) {
      const colorScheme = FOR_README[name];
      if (colorScheme !== undefined) await shootForReadme(browser, name, path, colorScheme);
      continue;
    }
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    for (const view of VIEWS) await shoot(browser, view, name, path);
  }
} finally {
  await browser.close();
  await own?.stop();
}
console.log(out);

async function shoot(
  from: Browser,
  { name: look, width, height, colorScheme }: (typeof VIEWS)[number],
  name: string,
  path: string,
): Promise<void> {
  const page = await from.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(url + path);
  await ready(page, `${name} (${look})`);
  if (look === 'phone') {
    // As tall as the page, so that its footer is at the bottom.
    const tall = await page.evaluate<number>('document.documentElement.scrollHeight');
    await page.setViewportSize({ width, height: Math.max(height, tall) });
  }
  await page.screenshot({ path: join(out, `${name}-${look}.png`), timeout: 120_000 });
  await page.close();
}

/** For dense screens. Only the browser's own protocol makes WebP. */
async function shootForReadme(
  from: Browser,
  name: string,
  path: string,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const page = await from.newPage({
    viewport: { width: 1200, height: 750 },
    deviceScaleFactor: 2,
    colorScheme,
  });
  await page.goto(url + path);
  await ready(page, name);
  const checked = ['.head-proof[data-state=consistent]', '.proof[data-standing=consistent]'];
  for (const proof of checked) await page.waitForSelector(proof);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  writeFileSync(join(out, `${name}.webp`), Buffer.from(data, 'base64'));
  await page.close();
}

/** The page's policy forbids evaluating text. */
async function ready(page: Page, what: string): Promise<void> {
  await page.waitForSelector('main h1');
  for (const busy of ['main [aria-busy]', '[data-standing=proving]']) {
    await page
      .waitForSelector(busy, { state: 'detached', timeout: 15_000 })
      .catch(() => console.error(`${what} still loads something`));
  }
}

/** With a house and the demo. */
async function startDemo(): Promise<Devnet> {
  const node = await startDevnet();
  const demo = node.netd('demo', '--url', node.url);
  demo.stdout?.resume();
  await once(demo, 'exit');
  return node;
}
