/**
 * Pictures of eight pages in two widths and both themes, alike in every run: the node serves the golden chain and
 * makes no block, and the browser has a fixed time, one font, and no animation.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timestampToMs } from '@netd/protocol';
import { goldenChain, startGolden } from '@netd/testkit/golden-chain';
import { ManualClock } from '@netd/testkit/manual-clock';
import pixelmatch from 'pixelmatch';
import type { BrowserContext, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { calm, newContext, openBrowser, settled } from './browser.ts';
import { findPages, MAIN_PAGES } from './find-pages.ts';

const WIDTHS = [
  { width: 390, height: 844 },
  { width: 1440, height: 640 },
] as const;

const FONT = new URL('../../../server/cards/Roboto-Regular.ttf', import.meta.url);

/** Chromium then draws letters alike on machines with other fonts and settings. */
const FLAGS = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'];

export interface Look {
  /** Such as `agents-390-dark`. */
  name: string;
  png: Buffer;
}

export async function* looks(): AsyncGenerator<Look> {
  const end = timestampToMs(goldenChain().blocks.at(-1)?.header.timestamp ?? '');
  const node = await startGolden({ clock: new ManualClock(end) });
  try {
    const browser = await openBrowser(...FLAGS);
    try {
      const { url } = node.running;
      const paths = await findPages(url);
      for (const viewport of WIDTHS) {
        const context = await newContext(browser, {
          viewport,
          reducedMotion: 'reduce',
          locale: 'en-GB',
          timezoneId: 'UTC',
          // The policy of the page would refuse the pinned font.
          bypassCSP: true,
        });
        await pin(context, end);
        for (const kind of MAIN_PAGES) {
          const page = await context.newPage();
          await page.goto(url + (paths[kind] ?? ''));
          await settled(page);
          await page.waitForSelector('.head-proof[data-state=consistent]', { state: 'attached' });
          // It proves itself a moment after it is in the window.
          if (kind === 'now' && viewport.width > 1_000)
            await page.waitForSelector('.latest-job .proof[data-standing=consistent]');
          await page.evaluate('document.fonts.ready.then(() => {})');
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            const name = `${kind}-${viewport.width}-${colorScheme}`;
            yield { name, png: await pictureOf(page, name) };
          }
          await page.close();
        }
        await context.close();
      }
    } finally {
      await browser.close();
    }
  } finally {
    await node.stop();
  }
}

async function pin(context: BrowserContext, now: number): Promise<void> {
  await context.clock.setFixedTime(now);
  const font = readFileSync(FONT).toString('base64');
  const pinned = `
    @font-face { font-family: Pinned; font-weight: 100 900; src: url(data:font/ttf;base64,${font}); }
    :root { --sans: Pinned !important; --mono: Pinned !important; font-synthesis: none; }
    *, ::before, ::after { animation: none !important; transition: none !important; }`;
  await context.addInitScript(`addEventListener('DOMContentLoaded', () => {
    const style = document.createElement('style');
    style.textContent = ${JSON.stringify(pinned)};
    document.head.append(style);
  })`);
}

/** Pictures at most until two are alike. */
const MOST_TRIES = 20;

/** @throws Error if the page does not come to rest */
async function pictureOf(page: Page, name: string): Promise<Buffer> {
  let before: Buffer = Buffer.alloc(0);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    await calm(page);
    const png = await page.screenshot({ caret: 'hide' });
    if (before.equals(png)) return png;
    before = png;
  }
  throw new Error(`${name} still changes after ${MOST_TRIES} pictures`);
}

const FOLDER = new URL('../../screenshots/', import.meta.url);
/** Of 1: how different two colors of a pixel must be to count. */
const COLOR_TOLERANCE = 0.15;
/** Of 1: versions of Chromium draw the edges of letters differently. */
const MOST_DIFFERENT = 0.002;

/** Returns a sentence for each picture that differs from the committed one; writes three pictures of each. */
export async function differingLooks(found: AsyncIterable<Look>): Promise<string[]> {
  const faults: string[] = [];
  const names = new Set<string>();
  for await (const { name, png } of found) {
    names.add(`${name}.png`);
    const path = new URL(`${name}.png`, FOLDER);
    if (!existsSync(path)) {
      faults.push(`${name} has no committed picture: run npm run screenshots`);
      continue;
    }
    const [committed, now] = [PNG.sync.read(readFileSync(path)), PNG.sync.read(png)];
    const { width, height } = committed;
    const isAlike = width === now.width && height === now.height;
    const difference = new PNG({ width, height });
    const pixels = isAlike
      ? pixelmatch(committed.data, now.data, difference.data, width, height, {
          threshold: COLOR_TOLERANCE,
        })
      : width * height;
    if (pixels <= width * height * MOST_DIFFERENT) continue;
    const folder = mkdtempSync(join(tmpdir(), `netd-look-${name}-`));
    writeFileSync(join(folder, 'committed.png'), PNG.sync.write(committed));
    writeFileSync(join(folder, 'now.png'), png);
    writeFileSync(join(folder, 'difference.png'), PNG.sync.write(difference));
    const part = ((100 * pixels) / (width * height)).toFixed(2);
    faults.push(`${name} differs in ${part} % of its pixels: see ${folder}`);
  }
  for (const name of readdirSync(FOLDER)) {
    if (!names.has(name)) faults.push(`${name} is of no page: run npm run screenshots`);
  }
  return faults;
}

/** Replaces the committed pictures. */
export async function keepLooks(found: AsyncIterable<Look>): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for await (const { name, png } of found) {
    // Smaller by a fifth than Chromium's, and by a half than with pngjs's defaults.
    const small = { colorType: 2, filterType: 0, deflateLevel: 9, deflateStrategy: 0 } as const;
    writeFileSync(new URL(`${name}.png`, FOLDER), PNG.sync.write(PNG.sync.read(png), small));
  }
}
