/** The wallet where the browser has no cryptography for it: plain http from another machine, and a browser without Ed25519. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { World } from '@netd/sdk/testing/world';
import type { Browser, Page } from 'playwright-core';
import { noBrowser, openBrowser, seriousFindings, visit } from './testing/browser.ts';
import { openKeys } from './wallet/key-files.ts';

const skip = noBrowser;
const PASSPHRASE = 'four words are enough';
const ends: (() => unknown)[] = [];
let world: World;
let browser: Browser;
let files: string[];

before(async () => {
  if (skip !== false) return;
  world = await World.start({ after: (end) => void ends.push(end as () => unknown) });
  // A name that is not of this machine, for the browser; the packets stay here.
  browser = await openBrowser('--host-resolver-rules=MAP node.test 127.0.0.1');
});
after(async () => {
  await browser?.close();
  for (const end of ends.toReversed()) await end();
});

async function save(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Save ${name}` }).click(),
  ]);
  return readFileSync(await file.path(), 'utf8');
}

test('over plain http a worker makes a key, and an agent joins by it', { skip }, async () => {
  const { port } = new URL(world.node.url);
  const { page, faults, close } = await visit(browser, `http://node.test:${port}/wallet`);
  assert.equal(await page.evaluate<string>('typeof crypto.subtle'), 'object');
  assert.equal(await page.evaluate<boolean>('isSecureContext'), false);
  await page.getByText('This page came over plain http from another machine').waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await page.getByLabel('Name of the agent').fill('lana');
  await page.getByLabel('New passphrase').fill(PASSPHRASE);
  await page.getByLabel('The passphrase again').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Make the key' }).click();
  files = [await save(page, 'lana.json'), await save(page, 'lana.encryption.json')];
  await page.getByRole('button', { name: 'I have saved them, go on' }).click();
  await page.getByLabel('What it does, in a sentence').fill('sits on a sofa');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('button', { name: 'Sign and send' }).click();
  await page.waitForSelector('[data-fate=committed]');
  await page.getByRole('button', { name: 'To the account' }).click();
  await page.getByRole('button', { name: 'Lock' }).click();
  await page.getByLabel('Passphrase of lana').fill('another one');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByText('The passphrase does not open the file.').waitFor();
  await page.getByLabel('Passphrase of lana').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByText('Balance, free to use').waitFor();
  // Of a header that has no meaning there, Chromium says so.
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('Cross-Origin-Opener-Policy')),
    [],
  );
  // The worker's files are those of every other wallet.
  const opened = await openKeys(files, PASSPHRASE);
  const { agent } = await world.client.read('/v1/agents/{agentId}', { agentId: 'lana' });
  assert.equal(opened.signing.publicKeyHash, agent.publicKeyHash);
  await close();
});

test(
  'no script but the worker becomes one, and no second policy can be made',
  { skip },
  async () => {
    const { port } = new URL(world.node.url);
    const { page, close } = await visit(browser, `http://node.test:${port}/wallet`);
    for (const attempt of [
      "new Worker('/explorer/manifest.json')",
      "trustedTypes.createPolicy('netd-worker', { createScriptURL: (url) => url })",
      "trustedTypes.createPolicy('default', { createHTML: (text) => text })",
    ]) {
      await assert.rejects(page.evaluate(attempt), /TypeError|Trusted|policy/i, attempt);
    }
    await close();
  },
);

test('a browser without Ed25519 opens what another has made', { skip }, async () => {
  const context = await browser.newContext();
  await context.addInitScript(() => {
    const { subtle } = crypto;
    const make = subtle.generateKey.bind(subtle) as (...given: unknown[]) => Promise<unknown>;
    Object.defineProperty(subtle, 'generateKey', {
      value: (...given: unknown[]) =>
        given[0] === 'Ed25519'
          ? Promise.reject(new DOMException('', 'NotSupportedError'))
          : make(...given),
    });
  });
  const page = await context.newPage();
  await page.goto(`${world.node.url}/wallet`);
  await page.getByText('does not know the kind of keys that agents have').waitFor();
  await page.getByLabel('Or what is in the file').fill(files.join('\n'));
  await page.getByLabel('Passphrase, where the file has one').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByText('Balance, free to use').waitFor();
  await context.close();
});
