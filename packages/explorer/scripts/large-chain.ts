/**
 * Measures the pages of a chain with 100,000 agents and orders and a million events: their requests, and how
 * long they are busy after input. The chain takes a while to build; with `--chain` it is kept and reused.
 *
 * npm run large-chain -w @netd/explorer -- [--chain folder] [--agents N] [--orders N] [--events N]
 *
 * Times are CPU times of the page's thread, so a busy machine changes little. Exits with 1 if something takes
 * 100 ms or more.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildLargeChain } from '@netd/bench/large-chain';
import { serve } from '@netd/node';
import { openBrowser, visit } from '../src/testing/browser.ts';
import {
  busy,
  LARGE_PAGES,
  pressInPage,
  searchFor,
  whatIsAsked,
} from '../src/testing/large-chain.ts';

const number = { type: 'string' } as const;
const { values } = parseArgs({
  options: { chain: { type: 'string' }, agents: number, orders: number, events: number },
});
const size = {
  agents: Number(values.agents ?? 100_000),
  orders: Number(values.orders ?? 100_000),
  events: Number(values.events ?? 1_000_000),
};
/** Milliseconds. */
const MOST = 100;

const own = values.chain === undefined ? mkdtempSync(join(tmpdir(), 'netd-large-chain-')) : null;
const dataDir = join(values.chain ?? own ?? '', 'node');
if (!existsSync(dataDir)) await buildLargeChain(dataDir, size);
const node = await serve({ host: '127.0.0.1', port: 0, dataDir });
const browser = await openBrowser();
let slow = 0;
try {
  for (const [name, path] of Object.entries(LARGE_PAGES)) {
    const { documents, bytes } = await whatIsAsked(browser, node.url + path);
    console.log(`${name}: ${documents} documents, ${Math.round(bytes / 1_000)} kB`);
  }
  const { page, close } = await visit(browser, `${node.url}/agents`);
  const { take } = await busy(page);
  const doing = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    await take();
    await act();
    const took = await take();
    if (took >= MOST) slow++;
    console.log(`${what}: ${took.toFixed(0)} ms of the processor`);
  };
  for (let pages = 2; pages <= 20; pages++) {
    await doing(`a further page of agents, ${50 * pages} shown`, async () => {
      await pressInPage(page, '.more .button', { shows: '.agent-list li', count: 50 * pages });
    });
  }
  await doing('scrolling through them', () => page.mouse.wheel(0, 20_000));
  await doing('opening the search', () => page.keyboard.press('Control+k'));
  await page.waitForSelector('.search[open]');
  for (const letter of 'agent-99') {
    await doing(`typing “${letter}” into the search`, () => page.keyboard.type(letter));
  }
  await page.keyboard.press('Escape');
  await searchFor(page, 'agent-77');
  await page.keyboard.press('Enter');
  await page.waitForSelector('h1 >> text=agent-77');
  await page.click('.nav a[href="/"]');
  await page.waitForSelector('.stream li');
  await doing('earlier events', async () => {
    await page.click('.more .button');
    await page.waitForSelector('.more .button:text-is("Earlier")');
  });
  await close();
} finally {
  await browser.close();
  await node.stop();
  if (own !== null) rmSync(own, { recursive: true, force: true });
}
process.exit(slow === 0 ? 0 : 1);
