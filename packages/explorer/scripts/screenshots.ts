/**
 * Pictures of every page, in light, dark and on a phone, of a node that is asked for or of one that is started here with a demo.
 *
 *   npm run screenshots -w @netd/explorer -- [--url http://127.0.0.1:8420] [--out folder] [page…]
 *
 * A node that is started here, with its house and a demo, is gone at the end.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import { findPages } from '../src/testing/find-pages.ts';

const VIEWS = [
  { name: 'light', width: 1360, height: 900, colorScheme: 'light' },
  { name: 'dark', width: 1360, height: 900, colorScheme: 'dark' },
  { name: 'phone', width: 390, height: 844, colorScheme: 'light' },
] as const;

const NETD = join(import.meta.dirname, '../../cli/src/main.ts');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, out: { type: 'string' } },
});
const out = resolve(values.out ?? mkdtempSync(join(tmpdir(), 'netd-screenshots-')));
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
  // By selectors: the page's policy forbids what would evaluate a text in it.
  await page.waitForSelector('main h1');
  for (const busy of ['main [aria-busy]', '[data-standing=proving]']) {
    await page
      .waitForSelector(busy, { state: 'detached', timeout: 15_000 })
      .catch(() => console.error(`${name} (${look}) still loads something`));
  }
  await page.screenshot({
    path: join(out, `${name}-${look}.png`),
    fullPage: look === 'phone',
    timeout: 120_000,
  });
  await page.close();
}

/** A network with a house, on which the demo has been played. */
async function startDemo(): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-screenshots-chain-'));
  const netd = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [NETD, ...args, '--data-dir', dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const node = netd('dev', '--port', '0');
  const started = await addressOf(node);
  const demo = netd('demo', '--url', started);
  demo.stdout?.resume();
  await once(demo, 'exit');
  return {
    url: started,
    stop: async () => {
      node.kill('SIGINT');
      await once(node, 'exit');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Where a node that starts says that it can be opened. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((found, fail) => {
    stdout?.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      const at = /Open\s+(http:\S+)/.exec(said)?.[1];
      if (at !== undefined) found(at);
    });
    stdout?.on('end', () => fail(new Error(`The node did not start:\n${said}`)));
  });
}
