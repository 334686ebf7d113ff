/** The developers' page in Chromium. Its requests are answered, and the copied samples run. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serve, type RunningNode } from '@netd/node';
import { AgentKey, NetClient } from '@netd/sdk';
import type { Browser, Page } from 'playwright-core';
import { noBrowser, openBrowser, seriousFindings, settled, visit } from './testing/browser.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const skip = noBrowser;
const home = mkdtempSync(join(tmpdir(), 'netd-developers-'));
const env = {
  HOME: home,
  PATH: [join(home, 'bin'), process.env['PATH']].join(delimiter),
  NET_KEY_DIR: join(home, 'keys'),
};
let node: RunningNode;
let browser: Browser;

before(async () => {
  if (skip !== false) return;
  node = await serve({ host: '127.0.0.1', port: 0, dataDir: join(home, 'node'), blockTime: 1 });
  mkdirSync(join(home, 'node_modules'));
  mkdirSync(join(home, 'bin'));
  symlinkSync(join(ROOT, 'packages/sdk'), join(home, 'node_modules/net-sdk'));
  symlinkSync(join(ROOT, 'packages/cli/bin/netd.mjs'), join(home, 'bin/netd'));
  symlinkSync(process.execPath, join(home, 'bin/node'));
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await node?.stop();
  rmSync(home, { recursive: true, force: true });
});

/** Returns the sample in a language, once its tab is the chosen one. */
async function sampleIn(page: Page, language: string): Promise<string> {
  await page.click(`.samples .tabs a:text-is("${language}")`);
  await page.waitForSelector(`.samples .tabs a[aria-current=page]:text-is("${language}")`);
  return (await page.textContent('.samples pre')) ?? '';
}

/** Waits until a search has left few of the errors. */
const fewErrors = (page: Page, few: number): Promise<unknown> =>
  page.waitForFunction(
    `document.querySelectorAll('.error-list li').length < ${few} &&
      document.querySelector('.error-list').textContent.includes('ACCOUNT_NOT_FOUND')`,
  );

/** Runs each sample in an empty folder, and returns its output. */
async function runSamples(page: Page): Promise<Record<string, string>> {
  const said: Record<string, string> = {};
  for (const name of ['curl', 'TypeScript', 'netd']) {
    const code = await sampleIn(page, name);
    if (name === 'TypeScript') {
      writeFileSync(join(home, 'sample.mts'), code);
      said[name] = (await run('node', ['sample.mts'], { cwd: home, env })).stdout;
    } else {
      said[name] = (await run('sh', ['-c', code], { cwd: home, env })).stdout;
    }
  }
  return said;
}

test(
  'a read is answered in the page, and by the curl, TypeScript and netd beside it',
  { skip },
  async () => {
    const client = new NetClient({ url: node.url });
    await client.register(
      { actorId: 'ada', key: await AgentKey.generate() },
      { description: "it's $(HOME) `of` papers" },
    );
    const { page, faults, close } = await visit(browser, `${node.url}/developers`);
    await page.fill('label:text-is("Find a read") + span input', 'agents/{agentId}');
    await page.click('.try-list button:has(code:text-is("/v1/agents/{agentId}"))');
    // It waits for the agent.
    await page.waitForSelector('button:text-is("Ask"):disabled');
    await page.fill('label:text-is("agentId") + span input', 'ada');
    await page.click('button:text-is("Ask")');
    await page.waitForSelector('.answer pre:has-text("papers")');
    assert.deepEqual(await seriousFindings(page), []);
    for (const [name, said] of Object.entries(await runSamples(page))) {
      assert.ok(said.includes('of` papers'), `${name} says ${said}`);
    }
    assert.deepEqual(faults, []);
    await close();
  },
);

test('an action is tried without a key, and its code says the same', { skip }, async () => {
  await run('sh', ['-c', `netd join bea --url ${node.url}`], { cwd: home, env });
  const { page, faults, close } = await visit(browser, `${node.url}/developers?show=act`);
  await page.fill('label:text-is("Agent") + span input', 'bea');
  await page.selectOption('#try-action', 'transfer');
  await page.waitForURL('**act=transfer**');
  await page.reload();
  assert.equal(await page.inputValue('label:text-is("Agent") + span input'), 'bea');
  await page.fill('[name=to]', 'operator');
  await page.fill('[name=amount]', '3');
  await page.fill('[name=memo]', "it's 'quoted' \\ $(x)");
  await page.click('button:text-is("Simulate")');
  await page.waitForSelector('.answer pre:has-text("outcome")');
  const shown = (await page.textContent('.answer pre')) ?? '';
  assert.match(shown, /CAPABILITY_MISSING/);
  assert.deepEqual(await seriousFindings(page), []);
  const curl = await sampleIn(page, 'curl');
  assert.match((await run('sh', ['-c', curl], { cwd: home, env })).stdout, /CAPABILITY_MISSING/);
  const line = await sampleIn(page, 'netd');
  const refused = await run('sh', ['-c', line], { cwd: home, env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  assert.match(refused.stdout + refused.stderr, /capability/i);
  assert.deepEqual(faults, []);
  await close();
});

test('an error is found by what it says, and leads to its entry', { skip }, async () => {
  const { page, close } = await visit(browser, `${node.url}/developers?show=errors`);
  await page.waitForSelector('.error-list li');
  const all = await page.locator('.error-list li').count();
  await page.fill('label:text-is("Find an error") + span input', 'amount account exists');
  await fewErrors(page, all / 10);
  await page.waitForURL('**find=amount**');
  await page.reload();
  await fewErrors(page, all / 10);
  await page.goto(`${node.url}/developers?show=nonsense`);
  await settled(page);
  await page.waitForSelector('.try-list');
  await close();
});
