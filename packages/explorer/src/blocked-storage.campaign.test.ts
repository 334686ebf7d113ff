/**
 * The explorer in a browser that blocks all cookies, and so localStorage and IndexedDB too.
 * https://github.com/gitcoinco/web/issues/188, https://github.com/ethereum/ethereum-org-website/issues/8725
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '@netd/node';
import { chromium } from 'playwright-core';
import { noBrowser, settled } from './testing/browser.ts';

const BLOCKED = { profile: { default_content_setting_values: { cookies: 2 } } };

test('every page is there in a browser that keeps nothing', { skip: noBrowser }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'netd-blocked-'));
  const profile = join(folder, 'profile');
  mkdirSync(join(profile, 'Default'), { recursive: true });
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(BLOCKED));
  const dataDir = join(folder, 'chain');
  const demo = { start: () => false, progress: { state: 'waiting' as const, reason: null } };
  const node = await serve({ host: '127.0.0.1', port: 0, dataDir, blockTime: 1, demo });
  t.after(() => node.stop());
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  t.after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  for (const path of ['/', '/agents', '/work', '/wallet', '/verify']) {
    await page.goto(`${node.url}${path}`);
    await settled(page);
    assert.deepEqual(faults, [], path);
    assert.equal(await page.getByText('This page could not be drawn').count(), 0, path);
  }
  await page.goto('about:blank');
  await page.goto(`${node.url}/#demo=${'0'.repeat(32)}`);
  await page.getByRole('button', { name: 'Start the demo' }).click();
  await page.getByText('This link does not start the demo').waitFor();
  assert.deepEqual(faults, []);
  const storage = page.evaluate(() => globalThis.localStorage.length);
  await assert.rejects(storage, /SecurityError|Access is denied/);
});
