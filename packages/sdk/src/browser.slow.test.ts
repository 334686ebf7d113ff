/** The browser build in Chromium: loaded from a node by a page of another origin, which joins, signs, verifies and comes back. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serve, type RunningNode } from '@netd/node';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { bundleCode } from '../scripts/build/bundle.ts';

const CHROMIUM = '/usr/bin/chromium';
/** Milliseconds; only what hangs takes as long. */
const PATIENCE = 120_000;
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}`;

const directory = mkdtempSync(join(tmpdir(), 'netd-browser-'));
let running: RunningNode;
let pages: Server;
let origin: string;
let browser: BrowserContext;

/** With the same profile, as when a person opens their browser again. */
async function openBrowser(): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(join(directory, 'profile'), {
    executablePath: CHROMIUM,
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    timeout: PATIENCE,
  });
  context.setDefaultTimeout(PATIENCE);
  return context;
}

before(async () => {
  if (skip !== false) return;
  running = await serve({
    host: '127.0.0.1',
    port: 0,
    dataDir: join(directory, 'node'),
    blockTime: 1,
  });
  const { files: built } = await bundleCode('browser');
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```html\n(.*?)```/s.exec(readme) ?? [];
  const page = example.replaceAll('http://127.0.0.1:8420', running.url);
  // A third-party site: an empty page, the page of the README, and the SDK as its own file.
  const files: Record<string, [string, string]> = {
    '/sdk.mjs': ['text/javascript', built['index.mjs'] ?? ''],
    '/readme': ['text/html', page],
  };
  pages = createServer(({ url }, response) => {
    const [type, body] = files[String(url)] ?? ['text/html', '<!doctype html><title>t</title>'];
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  pages?.close();
  await running?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a program in a fresh page of the site; what it returns comes back. */
async function inPage<Result>(program: string): Promise<Result> {
  const page: Page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  try {
    await page.goto(origin);
    const result = await page.evaluate<Result>(
      `(async () => { const url = ${JSON.stringify(running.url)}; ${program} })()`,
    );
    assert.deepEqual(faults, []);
    return result;
  } finally {
    await page.close();
  }
}

const LOAD = `const sdk = await import('/sdk.mjs');
const keys = await sdk.BrowserKeyStore.open();
const client = new sdk.NetClient({ url });`;

test(
  'a page makes a key that no script can export, joins, acts and verifies',
  { skip },
  async () => {
    const result = await inPage<{
      exported: string;
      extractable: boolean;
      event: string;
      verdict: string;
      description: string;
      absent: boolean;
      lie: string;
    }>(`${LOAD}
    const key = await keys.getOrCreate('visitor');
    const { privateKey } = key.handle();
    const exported = await crypto.subtle.exportKey('pkcs8', privateKey).then(() => 'yes', (e) => e.name);
    const actor = { actorId: 'visitor', key };
    await client.register(actor, { description: 'a page' });
    const receipt = await client.act(actor, 'extendAgentCapabilities', { actions: ['faucet'] });
    const { genesisHash } = await client.network();
    const reader = new sdk.VerifiedReader(client, { genesisHash });
    const { value, verdict } = await reader.readState('agent/visitor', { minHeight: receipt.height });
    const { present } = await reader.readState('agent/nobody');
    await reader.readTransition(receipt.transitionHash);
    const wrong = new sdk.VerifiedReader(client, { genesisHash: '00'.repeat(32) });
    const lie = await wrong.readState('agent/visitor').then(() => 'believed', (e) => e.name);
    return { exported, extractable: privateKey.extractable, event: receipt.events[0].type, verdict,
      description: value.description, absent: !present, lie };`);
    assert.deepEqual(result, {
      exported: 'InvalidAccessError',
      extractable: false,
      event: 'AgentCapabilitiesExtended',
      verdict: 'trusted',
      description: 'a page',
      absent: true,
      lie: 'VerificationError',
    });
  },
);

test(
  'the key is there when the browser is opened again, and one for all pages',
  { skip },
  async () => {
    await browser.close();
    browser = await openBrowser();
    const result = await inPage<{
      event: string;
      taken: string;
      same: boolean;
      gone: boolean;
    }>(`${LOAD}
    const key = await keys.get('visitor');
    const receipt = await client.act({ actorId: 'visitor', key }, 'faucet', { amount: 1 });
    const taken = await keys.add('visitor', await sdk.AgentKey.generate()).then(() => 'replaced', (e) => e.name);
    const both = await Promise.all([keys.getOrCreate('two'), keys.getOrCreate('two')]);
    await keys.delete('two');
    return { event: receipt.events[0].type, taken, same: both[0].publicKey === both[1].publicKey,
      gone: (await keys.get('two')) === null };`);
    assert.deepEqual(result, {
      event: 'FaucetPaid',
      taken: 'ConstraintError',
      same: true,
      gone: true,
    });
  },
);

test('the page of the README does what it says', { skip }, async () => {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(`${origin}/readme`);
  await page.waitForFunction(`document.title === 'done'`, null, { timeout: 600_000 }).catch(() => {
    assert.fail(`it did not get to its end: ${faults.join('; ')}`);
  });
  assert.equal(await page.textContent('output'), 'AgentCapabilitiesExtended');
  await page.close();
});

test(
  'a page of another origin loads the SDK from the node, reads refusals and follows events',
  { skip },
  async () => {
    const result = await inPage<{ module: boolean; code: string; retry: boolean; event: string }>(`
    const sdk = await import(url + '/downloads/net-sdk.browser.mjs');
    const client = new sdk.NetClient({ url });
    const refusal = await client.read('/v1/agents/{agentId}', { agentId: 'nobody' }).catch((e) => e);
    const stop = new AbortController();
    let event = '';
    for await (const { type } of client.events({ after: '0.0', signal: stop.signal })) {
      event = type;
      stop.abort();
    }
    return { module: typeof sdk.NetClient === 'function', code: refusal.code,
      retry: typeof refusal.requestId === 'string', event };`);
    assert.deepEqual(result, {
      module: true,
      code: 'AGENT_NOT_FOUND',
      retry: true,
      event: 'AgentRegistered',
    });
  },
);
