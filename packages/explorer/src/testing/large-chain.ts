/** Counts the requests of pages on a large chain, and measures how long a click keeps them busy. */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { calm, newContext, settled } from './browser.ts';

/** Lists, and things of kinds that grow in number. */
export const LARGE_PAGES: Readonly<Record<string, string>> = {
  now: '/',
  agents: '/agents',
  'agents by name': '/agents?name=agent-',
  'agents by capability': '/agents?capability=research',
  agent: '/agents/agent-7',
  'work of an agent': '/agents/agent-7?tab=work',
  work: '/work',
  'open work': '/work?phase=open',
  'ended work': '/work?phase=ended',
  order: '/work/order-7',
  blocks: '/blocks',
  network: '/network',
  economy: '/economy',
  tokens: '/tokens',
  governance: '/governance',
};

/** The requests of a page. Repeated addresses count once, because a page polls more often if the machine is slow. */
export interface Asked {
  documents: number;
  bytes: number;
}

/** Visits a page, does something there, and returns the requests to the node's API meanwhile. */
export async function whatIsAsked(
  browser: Browser,
  url: string,
  act: (page: Page) => Promise<void> = async () => {},
): Promise<Asked> {
  const { origin } = new URL(url);
  const sizes = new Map<string, Promise<number>>();
  const context = await newContext(browser);
  const page = await context.newPage();
  page.on('request', (request) => {
    const address = request.url();
    const isStream = request.headers()['accept']?.includes('event-stream');
    // Times of heights are requested as lists arrive, a hundred at a time. How they are grouped depends on
    // timing.
    const isTimes = address.includes('/v1/blocks?heights=');
    // Skip the orders of one requester: their number depends on the agent instead of the chain, and is twenty at most.
    const isOwn = address.includes('/v1/work-orders?requesterId=');
    if (!address.startsWith(`${origin}/v1/`) || isStream || isTimes || isOwn) return;
    if (sizes.has(address)) return;
    const size = async (): Promise<number> =>
      (await (await request.response())?.body())?.length ?? 0;
    sizes.set(
      address,
      size().catch(() => 0),
    );
  });
  // Every page reads the past events once the stream is open, and some then request what these events are
  // about.
  const past = page.waitForResponse((response) => response.url().includes('/v1/events?before='));
  await page.goto(url);
  await past;
  await calm(page);
  await settled(page);
  await act(page);
  const bytes = await Promise.all(sizes.values());
  await context.close();
  return { documents: bytes.length, bytes: bytes.reduce((sum, one) => sum + one, 0) };
}

/** Types part of a name into the search, and waits for the matches. */
export async function searchFor(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.waitForSelector('.search[open]');
  // Type all letters at once, because a slow machine would search for each one. Cached matches are shown
  // before the node answers.
  const answers = [
    `/v1/agents?prefix=${typed}&`,
    `/v1/work-orders?prefix=${typed}&`,
    `/v1/state/proof?key=agent%2F${typed}`,
    `/v1/state/proof?key=order%2F${typed}`,
  ].map((path) => page.waitForResponse((response) => response.url().includes(path)));
  await page.fill('[role=combobox]', typed);
  await Promise.all(answers);
  await page.waitForSelector(`[role=option] .hit-name >> text=${typed}`);
}

/** Loads further pages of a list. */
export async function readOn(page: Page, times: number): Promise<void> {
  for (let read = 0; read < times; read++) {
    const rows = await page.locator('main li, main tr').count();
    await page.click('.more .button:not([disabled])');
    await page.waitForSelector(`:nth-match(main li, main tr, ${rows + 1})`).catch(() => {});
    await page.waitForSelector('.more .button:not([disabled])');
  }
}

/** Loads earlier events until the list begins with the first one. */
export async function readToStart(page: Page, most: number): Promise<void> {
  const more = page.locator('.more .button');
  await page.waitForSelector('.stream li');
  for (let turn = 0; turn < most && (await more.count()) > 0; turn++) {
    await more.click();
    // The button is disabled one frame later, if it reads at all.
    await calm(page);
    await page.waitForSelector('.more .button[disabled]', { state: 'detached' });
  }
}

/**
 * Presses a button and waits until the page has drawn enough matching elements. The wait runs inside the page: polling from outside
 * would keep its thread busy for longer than the work that we measure.
 */
export async function pressInPage(
  page: Page,
  button: string,
  wanted: { shows: string; count: number },
): Promise<void> {
  await page.evaluate(`(${DRAWN})(${JSON.stringify([button, wanted])})`);
}

/** A script for the page, as a string: the types of this package have no DOM. */
const DRAWN = `async ([button, { shows, count }]) => {
  const there = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelectorAll(shows).length < count) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  document.querySelector(button)?.click();
  await there;
  // Behind the frame that draws them.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}`;

/** Returns the milliseconds of processor time that the page's thread used. */
export async function busy(page: Page): Promise<{ take: () => Promise<number> }> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const now = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
  };
  let before = await now();
  return {
    take: async () => {
      const after = await now();
      const took = after - before;
      before = after;
      return took;
    },
  };
}
