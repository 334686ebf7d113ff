/** Opens a node's pages in Chromium and records everything that must not happen there. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { plays } from '@netd/protocol/testing';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
/** The reason to skip a test; false if Chromium is installed. */
export const noBrowser: string | false = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}`;

/** @param args in addition to those that every test needs */
export const openBrowser = (...args: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...args],
    timeout: WAIT,
  });

export interface Visit {
  page: Page;
  /** Faults so far: errors of the page and its console, requests to other origins, violations of its policy. */
  faults: string[];
  /** Bytes of scripts received over the network. */
  scripts: () => number;
  close: () => Promise<void>;
}

/** In milliseconds, long enough for a busy machine. */
const WAIT = 120_000;

/** Opens a window without stored data. */
export async function newContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(WAIT);
  return context;
}

/** Opens a page without stored data. Refusals of the node are no faults of the page. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await newContext(browser, options);
  const page = await context.newPage();
  const { origin } = new URL(url);
  const faults: string[] = [];
  const sizes: number[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    const isRefusal = /Failed to load resource: the server responded/.test(message.text());
    if (message.type() === 'error' && !isRefusal) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`asks ${request.url()}`);
  });
  page.on('response', async (response) => {
    if (!response.url().endsWith('.js')) return;
    // A page that was closed meanwhile has no headers.
    const headers: Record<string, string> = await response.allHeaders().catch(() => ({}));
    sizes.push(Number(headers['content-length'] ?? 0));
  });
  await page.goto(url);
  await settled(page);
  return {
    page,
    faults,
    scripts: () => sizes.reduce((sum, size) => sum + size, 0),
    close: async () => {
      // A test may still be handling a request.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    },
  };
}

/** Waits until all requests are answered and all proofs are done. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('main h1', { timeout: WAIT });
  for (const busy of ['main [aria-busy]', '[data-standing=proving]']) {
    await page.waitForSelector(busy, { state: 'detached', timeout: WAIT });
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const CALM = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() =>
  Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished),
  )).then(() => {})`;

/** Waits until the last answer is drawn in its final colors. */
export async function calm(page: Page): Promise<void> {
  await page.evaluate(CALM);
}

interface Findings {
  violations: {
    id: string;
    impact: string | null;
    nodes: { html: string; failureSummary?: string }[];
  }[];
}

const WIDTHS = [390, 820, 1280, 1440];

/**
 * Returns axe findings that keep a person from using the page. In a campaign, checks four widths and both themes.
 * @param rules to check; all by default
 */
export async function seriousFindings(page: Page, ...rules: string[]): Promise<string[]> {
  await page.evaluate(AXE);
  const viewport = page.viewportSize();
  if (viewport === null || !plays(false, true)) return findingsNow(page, rules);
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: viewport.height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Color transitions begin in the first frame, and end after another one.
      await calm(page);
      const findings = await findingsNow(page, rules);
      found.push(...findings.map((one) => `${width} wide, ${colorScheme}: ${one}`));
    }
  }
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
  return found;
}

async function findingsNow(page: Page, rules: readonly string[]): Promise<string[]> {
  await calm(page);
  const options = rules.length === 0 ? {} : { runOnly: rules };
  const { violations } = await page.evaluate<Findings>(`axe.run(${JSON.stringify(options)})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Returns texts, titles and hints of the page that contain invisible characters. */
export async function unseenText(page: Page): Promise<string[]> {
  const texts = await page.evaluate<string[]>(`[
    document.title,
    ...[...document.querySelectorAll('main [title]')].map(({ title }) => title),
    ...document.querySelector('main').innerText.split('\\n'),
  ]`);
  return texts.filter((text) => /[^\P{C}\t]|[\u2028\u2029]/u.test(text));
}

/** Returns the class names of all elements with a running animation. */
export const movements = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`document.getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && effect.getComputedTiming().duration > 1)
    .map(({ effect }) => effect.target.className)`);

/** Hints of fields that are longer than their field. */
const CUT_HINTS = `[...document.querySelectorAll('input[placeholder]')].filter((field) => {
  const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(field);
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = [fontWeight, fontSize, fontFamily].join(' ');
  const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return field.checkVisibility() && pen.measureText(field.placeholder).width > room + 1;
}).map(({ placeholder }) => placeholder)`;

/** @throws AssertionError if the page is wider than the window, or cuts the hint of a field */
export async function assertNoOverflow(page: Page, where: string): Promise<void> {
  const [content, window] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  assert.ok(content <= window, `${where} is ${content} wide in a window of ${window}`);
  assert.deepEqual(await page.evaluate(CUT_HINTS), [], `${where} in a window of ${window}`);
}
