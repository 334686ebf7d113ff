/** The explorer's pages in use in Chromium: proofs, searches, live changes, and tables. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { serve, type RunningNode } from '@netd/node';
import { AgentKey, NetClient, type Actor, type DocumentOf } from '@netd/sdk';
import { genesisHash as hashOf } from '@netd/protocol';
import { inCampaign } from '@netd/protocol/testing';
import { goldenChain, replayInto } from '@netd/testkit/golden-chain';
import { startFollower } from '@netd/testkit/start-follower';
import type { Browser, Request } from 'playwright-core';
import {
  assertNoOverflow,
  calm,
  newContext,
  noBrowser,
  openBrowser,
  seriousFindings,
  settled,
  visit,
} from './testing/browser.ts';
import { findPages } from './testing/find-pages.ts';
import { LONG, startTwoNodes } from './testing/two-nodes.ts';

const skip = noBrowser;
const directory = mkdtempSync(join(tmpdir(), 'netd-explorer-'));
let empty: RunningNode;
let busy: RunningNode;
let browser: Browser;
let operator: Actor;

before(async () => {
  if (skip !== false) return;
  ({ empty, busy, operator } = await startTwoNodes(directory));
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await empty?.stop();
  await busy?.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe('what is proven', () => {
  test(
    'is marked so, against an anchor that the reader sees, pins and changes',
    { skip },
    async () => {
      const { page, close } = await visit(browser, `${busy.url}/agents/alice`);
      assert.equal(await page.textContent('.proof'), 'Checked here');
      await page.click('.proof');
      await page.click('.proof-why a');
      const { genesisHash } = await new NetClient({ url: busy.url }).network();
      await page.fill('#pin', 'nonsense');
      await page.click('button:text("Pin it")');
      assert.match((await page.textContent('#pin-fault')) ?? '', /64 digits/);
      await page.fill('#pin', genesisHash);
      await page.click('button:text("Pin it")');
      await page.goBack();
      await page.waitForSelector('.proof[data-standing=proven]');
      await page.goto(`${busy.url}/verify`);
      await page.fill('#pin', 'ab'.repeat(32));
      await page.click('button:text("Pin it")');
      // The old pin stays until the reader has seen both hashes.
      await page.waitForSelector('.ask[open]');
      const both = (await page.textContent('.ask dl'))?.replaceAll(' ', '') ?? '';
      assert.ok(both.includes(genesisHash) && both.includes('ab'.repeat(32)));
      await page.keyboard.press('Escape');
      await page.waitForSelector('.ask', { state: 'detached' });
      assert.equal(await page.locator('text=The node now serves a different chain').count(), 0);
      await page.fill('#pin', 'ab'.repeat(32));
      await page.click('button:text("Pin it")');
      await page.click('.ask button:text("Replace it")');
      await page.waitForSelector('text=The node now serves a different chain');
      await page.goto(`${busy.url}/agents/alice`);
      await page.waitForSelector('.proof[data-standing=failed]');
      await page.click('.banner .button');
      await page.click('.ask button:text("Replace it")');
      await page.waitForSelector('.proof[data-standing=consistent]');
      await close();
    },
  );

  test('and differs from what is shown is shown as failing', { skip }, async () => {
    const { page, close } = await visit(browser, busy.url);
    await page.route('**/v1/agents/alice', async (route) => {
      const response = await route.fetch();
      const document = (await response.json()) as { agent: { description: string } };
      document.agent.description = 'the best of all agents';
      await route.fulfill({ response, json: document });
    });
    await page.goto(`${busy.url}/agents/alice`);
    await page.waitForSelector('.proof[data-standing=failed]');
    await page.click('.proof');
    assert.match(
      (await page.textContent('.proof-why')) ?? '',
      /do not match the proof of .*: description/,
    );
    await close();
  });

  test(
    'is not green over what only the page was told: a lie to it, the truth to the proof',
    { skip },
    async () => {
      const { block, order } = await findPages(busy.url);
      const lies: [path: string, asked: RegExp, lie: (document: never) => void][] = [
        [
          String(block),
          /\/v1\/blocks\/\d+/,
          ({ certificate }: { certificate: { votingPower: number } }) => {
            certificate.votingPower = 99;
          },
        ],
        [
          String(order),
          /\/audit$/,
          ({ timeline }: { timeline: { events: { data: { funding: number } }[] } }) => {
            for (const { data } of timeline.events.slice(0, 1)) data.funding = 1e15;
          },
        ],
      ];
      for (const [path, asked, lie] of lies) {
        const { page, close } = await visit(browser, busy.url);
        let isFirst = true;
        await page.route(asked, async (route) => {
          const response = await route.fetch();
          const document = (await response.json()) as never;
          if (isFirst) lie(document);
          isFirst = false;
          await route.fulfill({ response, json: document });
        });
        await page.goto(busy.url + path);
        await page.waitForSelector('.proof[data-standing=failed]');
        await close();
      }
    },
  );

  test(
    'of a block whose events were changed on the way says what does not hold',
    { skip },
    async () => {
      const { page, close } = await visit(browser, busy.url);
      await page.route(/\/v1\/blocks\/\d+/, async (route) => {
        const response = await route.fetch();
        const document = (await response.json()) as { events: unknown[] };
        document.events.pop();
        await route.fulfill({ response, json: document });
      });
      const { block } = await findPages(busy.url);
      await page.goto(busy.url + block);
      await page.waitForSelector('.proof[data-standing=failed]');
      await page.click('.proof');
      assert.match(
        (await page.textContent('.proof-why')) ?? '',
        /events are not those of the block/,
      );
      await close();
    },
  );
});

test(
  'a proposal is proven with its votes and its quorum, and a node that changes them is shown',
  { skip },
  async () => {
    const path = '/governance/proposals/go-live';
    const { page, close } = await visit(browser, `${busy.url}/governance?show=proposals`);
    await page.click(`a[href="${path}"]`);
    await page.waitForSelector('.proof[data-standing=consistent]');
    await page.waitForSelector('.chamber >> text=too few votes');
    let lie = { for: 1e12 } as object;
    await page.route(/\/v1\/governance\/proposals\/go-live/, async (route) => {
      const response = await route.fetch();
      const document = (await response.json()) as { proposal: { chambers: { stake: object } } };
      Object.assign(document.proposal.chambers.stake, lie);
      await route.fulfill({ response, json: document });
    });
    for (const [next, name] of [
      [lie, 'chambers'],
      [{ quorum: 0, agrees: true }, 'quorum or majority'],
    ] as const) {
      lie = next;
      await page.reload();
      await page.waitForSelector('.proof[data-standing=failed]');
      await page.click('.proof');
      assert.match(
        (await page.textContent('.proof-why')) ?? '',
        new RegExp(`do not match the proof of [^:]*: .*${name}`),
      );
    }
    await close();
  },
);

test('only the younger of two lookalike names is marked, on every page', { skip }, async () => {
  const { page, close } = await visit(browser, `${busy.url}/agents/a1ice`);
  // The page itself looks for names that it resembles.
  await page.waitForSelector('h1 .alike >> text=looks like alice');
  await page.goto(`${busy.url}/agents`);
  await page.waitForSelector('li:has(a[href="/agents/a1ice"]) .alike >> text=looks like alice');
  assert.equal(await page.locator('li:has(a[href="/agents/alice"]) .alike').count(), 0);
  await page.click('a[href="/agents/alice"]');
  await page.waitForSelector('h1:has-text("alice")');
  await settled(page);
  assert.equal(await page.locator('h1 .alike').count(), 0);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('a1ice');
  await page.waitForSelector('[role=option] .alike >> text=looks like alice');
  await close();
});

type NetworkStatus = DocumentOf<'/v1/network'>;

/** Opens a page of the busy node with another network status. */
async function toldOf(change: (rules: NetworkStatus['rules']) => void, path: string) {
  const shown = await visit(browser, busy.url + path);
  await shown.page.route(/\/v1\/network$/, async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as NetworkStatus;
    change(status.rules);
    await route.fulfill({ response, json: status });
  });
  await shown.page.reload();
  return shown;
}

test('a holder of a reserved name is marked on every page that shows it', { skip }, async () => {
  const { page, close } = await toldOf((rules) => (rules.version = 2), '/agents');
  const mark = '.alike >> text=unofficial';
  await page.waitForSelector(`li:has(a[href="/agents/network-admin"]) ${mark}`);
  assert.equal(await page.locator(mark).count(), 1);
  await page.click('a[href="/agents/network-admin"]');
  await page.waitForSelector(`h1 ${mark}`);
  await close();
});

test('the network page counts down to a scheduled version of the rules', { skip }, async () => {
  const { page, close } = await toldOf(({ scheduled }) => {
    // Pretends that the validators can change.
    if (scheduled) scheduled.readyPower = 0;
  }, '/network');
  const card = page.locator('.card:has-text("What changes")');
  await card.locator('text=is not ready yet').waitFor();
  const text = (await card.textContent()) ?? '';
  assert.match(
    text,
    /version 1.*Nextversion 2.*First block#[\d,]+.*Beginsafter [\d,]+ more blocks/s,
  );
  assert.match(text, /0 of \d+ votes, \d+ needed/);
  assert.ok((await card.locator('li').count()) > 0);
  await close();
});

test(
  'a cookie that another server on this host wrote names no origin',
  { skip: skip || inCampaign.skip },
  async () => {
    const { page, faults, close } = await visit(browser, busy.url);
    const hostile = 'https://a.example';
    await page
      .context()
      .addCookies([{ name: 'netd_origins', value: encodeURIComponent(hostile), url: busy.url }]);
    await page.goto(`${busy.url}/verify`);
    await page.waitForSelector('text=No other node is added');
    assert.deepEqual(faults, []);
    await close();
  },
);

test('with the keyboard alone one finds an agent and goes back', { skip }, async () => {
  const { page, close } = await visit(browser, busy.url);
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/search-\w+-[^/]*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  // Keys count from the shortcut on, long before the code that finds anything has arrived.
  const asked = page.waitForRequest(/\/search-\w+-[^/]*\.js$/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('alice');
  await page.keyboard.press('Enter');
  await asked;
  release();
  await page.waitForURL('**/agents/alice');
  await settled(page);
  assert.equal(await page.evaluate<string>('document.activeElement.id'), 'main');
  await page.goBack();
  await page.waitForURL(`${busy.url}/`);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('lic');
  await page.waitForSelector('[role=option][aria-selected=true] >> text=alice');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.search', { state: 'detached' });
  await close();
});

test('a search for what does not exist yet logs no error', { skip }, async () => {
  const { page, close } = await visit(browser, busy.url);
  const refused: string[] = [];
  page.on('response', (answer) => answer.status() >= 400 && refused.push(answer.url()));
  await page.keyboard.press('Control+k');
  await page.waitForSelector('.search[open]');
  for (const [typed, last] of [
    ['nobody-yet', '/v1/state/proof?key=order%2Fnobody-yet'],
    ['tok-nothing', '/v1/state/proof?key=token%2Ftok-nothing'],
    ['999999', '/v1/blocks?heights=999999'],
  ] as const) {
    await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith(last)),
      page.fill('.search input', typed),
    ]);
  }
  assert.deepEqual(refused, []);
  await page.fill('.search input', 'order-1');
  await page.waitForSelector('[role=option] >> text=order-1');
  await close();
});

test('what happens is there as it happens, and does not move under the eye', { skip }, async () => {
  const { page, close } = await visit(browser, busy.url);
  const client = new NetClient({ url: busy.url });
  await page.hover('.stream li');
  await client.register({ actorId: 'newcomer', key: await AgentKey.generate() });
  await page.waitForSelector('.pill-new >> text=1 new');
  assert.equal(await page.locator('.stream >> text=newcomer').count(), 0);
  await page.click('.pill-new');
  await page.waitForSelector('.stream >> text=newcomer');
  // The list also stays still for keyboard users.
  await page.mouse.move(0, 0);
  await page.focus('.stream a');
  await client.register({ actorId: 'latecomer', key: await AgentKey.generate() });
  await page.waitForSelector('.pill-new >> text=1 new');
  assert.equal(await page.locator('.stream >> text=latecomer').count(), 0);
  await page.focus('.nav a');
  await page.waitForSelector('.stream >> text=latecomer');
  // The activity of an agent waits for its reader, too.
  await page.goto(`${busy.url}/agents/alice`);
  await settled(page);
  const lines = await page.locator('.stream li').count();
  await client.act(operator, 'transfer', { to: 'alice', amount: 1_000_000 });
  await page.waitForSelector('.pill-new >> text=1 new');
  assert.equal(await page.locator('.stream li').count(), lines);
  await page.click('.pill-new');
  await page.waitForSelector('.stream >> text=sent 1 NET to');
  await close();
});

test(
  'a node that is gone is said to be, and the page goes on when it is back',
  { skip },
  async () => {
    const { page, close } = await visit(browser, `${busy.url}/agents`);
    await page.route('**/v1/**', (route) => route.abort());
    await page.waitForSelector('text=The node does not answer.');
    assert.ok((await page.locator('.agent-list li').count()) > 0, 'what was shown stays');
    await page.click('.nav a[href="/work"]');
    await page.waitForSelector('text=The work could not be read.');
    await page.unroute('**/v1/**');
    // The page that failed redraws itself.
    await page.waitForSelector('.order-card >> text=Take this job');
    await page.waitForSelector('text=The node does not answer.', {
      state: 'detached',
    });
    await close();
  },
);

test(
  'of a node that is slow what is on its way is drawn in outline',
  { skip: skip || inCampaign.skip },
  async () => {
    const { page, close } = await visit(browser, busy.url);
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/\/v1\/work-orders/, async (route) => {
      await answered;
      await route.continue();
    });
    await page.click('.nav a[href="/work"]');
    await page.waitForSelector('main [aria-busy]');
    assert.equal(await page.locator('main [role=alert]').count(), 0);
    answer();
    await page.waitForSelector('main >> text=Read Unbroken');
    assert.equal(await page.locator('main [aria-busy]').count(), 0);
    await close();
  },
);

test(
  'a node that has too much to do is quoted, and asked again when told to',
  { skip },
  async () => {
    const { page, close } = await visit(browser, busy.url);
    const problem = {
      type: 'about:blank',
      title: 'The node has as much waiting as it takes',
      status: 503,
      code: 'OVERLOADED',
      detail: 'The node has as much waiting as it takes: try again in a moment.',
      requestId: 'x',
    };
    const isAgents = /\/v1\/agents\?/;
    await page.route(isAgents, (route) => route.fulfill({ status: 503, json: problem }));
    await page.click('.nav a[href="/agents"]');
    await page.waitForSelector('main >> text=try again in a moment');
    await page.unroute(isAgents);
    await page.click('main [role=alert] button');
    await page.waitForSelector('main a[href="/agents/alice"]');
    await close();
  },
);

test(
  'a page of an agent that is missing says so while blocks arrive, and shows it once it is there',
  { skip },
  async () => {
    const { page, close } = await visit(browser, `${busy.url}/agents/agent-to-come`);
    const client = new NetClient({ url: busy.url });
    const note = await page.waitForSelector('main [role=alert]');
    for (let count = 0; count < 3; count++) {
      const asked = page.waitForResponse(/agents\/agent-to-come$/);
      await client.act(operator, 'transfer', { to: 'alice', amount: 1 });
      await asked;
      await calm(page);
    }
    assert.equal(await note.evaluate((element) => element.isConnected), true);
    await client.register({ actorId: 'agent-to-come', key: await AgentKey.generate() });
    await page.waitForSelector('main >> text=agent-to-come joined');
    await close();
  },
);

test('eight tabs follow the chain over one connection', { skip }, async () => {
  const context = await newContext(browser);
  // Over HTTP/1.1 a browser opens six connections to a node. With a stream in each tab, the seventh would not
  // load.
  const tabs = [];
  for (let count = 0; count < 8; count++) {
    const tab = await context.newPage();
    await tab.goto(busy.url);
    await tab.waitForSelector('.stream li');
    tabs.push(tab);
  }
  const client = new NetClient({ url: busy.url });
  await client.register({ actorId: 'octavia', key: await AgentKey.generate() });
  await Promise.all(tabs.map((tab) => tab.waitForSelector('.stream >> text=octavia')));
  // The tab that opened the stream may close. The others keep it.
  await tabs.shift()?.close();
  await client.register({ actorId: 'nonna', key: await AgentKey.generate() });
  await Promise.all(tabs.map((tab) => tab.waitForSelector('.stream >> text=nonna')));
  await context.close();
});

test(
  'without a shared worker only the visible tab holds a stream',
  { skip: skip || inCampaign.skip },
  async () => {
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.addInitScript(`delete globalThis.SharedWorker;
    Object.defineProperty(document, 'hidden', { get: () => globalThis.asleep === true });
    globalThis.sleep = (asleep) => {
      globalThis.asleep = asleep;
      document.dispatchEvent(new Event('visibilitychange'));
    };`);
    const isStream = (request: Request): boolean =>
      request.headers()['accept'] === 'text/event-stream';
    await Promise.all([page.waitForRequest(isStream), page.goto(busy.url)]);
    await page.waitForSelector('.stream li');
    await Promise.all([page.waitForEvent('requestfailed', isStream), page.evaluate('sleep(true)')]);
    const client = new NetClient({ url: busy.url });
    await client.register({ actorId: 'sandman', key: await AgentKey.generate() });
    await page.evaluate('sleep(false)');
    await page.waitForSelector('.stream >> text=sandman');
    await context.close();
  },
);

test('a page whose node now serves another chain shows that chain', { skip }, async () => {
  const serveAt = (name: string, port: number): Promise<RunningNode> =>
    serve({ host: '127.0.0.1', port, dataDir: join(directory, name), blockTime: 1 });
  const first = await serveAt('before-reset', 0);
  const client = new NetClient({ url: first.url });
  for (const actorId of ['una', 'duo', 'tria']) {
    await client.register({ actorId, key: await AgentKey.generate() });
  }
  const { page, close } = await visit(browser, first.url);
  await page.waitForSelector('.stream >> text=tria');
  await first.stop();
  const second = await serveAt('after-reset', Number(new URL(first.url).port));
  await page.waitForSelector('.banner >> text=now serves a different chain');
  await page.waitForSelector('.pulse strong:text-is("0")');
  assert.equal(await page.locator('.stream >> text=tria').count(), 0);
  await new NetClient({ url: second.url }).register({
    actorId: 'nova',
    key: await AgentKey.generate(),
  });
  await page.waitForSelector('.stream >> text=nova');
  await close();
  await second.stop();
});

test(
  'a copy says that it hears from no node; what validators certified after a change is proven',
  { skip },
  async (t) => {
    const dataDir = join(directory, 'copy');
    const golden = goldenChain('validators');
    const origin = 'http://127.0.0.1:9';
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'genesis.json'), JSON.stringify(golden.genesis));
    const facts = {
      schema: 'NET-FOLLOWER/1',
      origins: [origin],
      genesisHash: hashOf(golden.genesis),
      anchor: {},
      blockTimes: { blockTime: 100, idleBlockTime: 10_000 },
    };
    writeFileSync(join(dataDir, 'follow.json'), JSON.stringify(facts));
    await replayInto(dataDir, golden);
    const copy = await startFollower(t, [origin], { dataDir });
    const { page, faults, close } = await visit(browser, copy.url);
    await page.waitForSelector('text=This follower gets no answer from the nodes that it follows.');
    const last = golden.blocks.length - 1;
    const setOf = (height: number) => golden.blocks[height]?.certificate?.validatorSetHash;
    assert.notEqual(setOf(0), setOf(last));
    await page.goto(`${copy.url}/blocks/${last}`);
    await page.waitForSelector('.proof[data-standing=consistent]');
    await page.goto(`${copy.url}/network`);
    await settled(page);
    assert.deepEqual(faults, []);
    // A node that hides added validators cannot prove what they signed.
    await page.route(/validator-set\/changes/, async (route) => {
      const response = await route.fetch();
      const document = (await response.json()) as { changes: unknown[] };
      document.changes.splice(0, 1);
      await route.fulfill({ response, json: document });
    });
    await page.goto(`${copy.url}/blocks/${last}`);
    await page.waitForSelector('.proof[data-standing=failed]');
    await close();
  },
);

test('new ended orders do not hide open ones, which offer to be taken', { skip }, async () => {
  const { page, close } = await visit(browser, `${busy.url}/work`);
  const open = page.locator('.column[aria-label=Open] .order-card');
  assert.equal(await open.count(), 1);
  await open.getByRole('link', { name: /^Take this job/ }).click();
  await page.waitForURL(/\/wallet\?tab=work&of=order-x+$/);
  // An empty phase says nothing about the others.
  await page.goto(`${busy.url}/work?phase=checking`);
  await page.waitForSelector('main >> text=No work is in the phase “In review” now');
  await close();
});

test('blocks are drawn, by a library that comes with them alone', { skip }, async () => {
  const { page, faults, close } = await visit(browser, `${busy.url}/agents`);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.click('a[href="/blocks"]');
  await page.waitForSelector('.line-chart canvas');
  assert.equal(await page.locator('.line-chart canvas').count(), 2);
  assert.ok(asked.some((url) => /uPlot/.test(url)));
  await page.waitForSelector('[role=img][aria-label^="Transitions in blocks"]');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as JSON' }).click(),
  ]);
  const rows = JSON.parse(readFileSync(await file.path(), 'utf8')) as Record<string, string>[];
  assert.match(rows[0]?.['Hash'] ?? '', /^[0-9a-f]{64}$/);
  assert.match(rows[0]?.['Made'] ?? '', /^20\d\d-\d\d-\d\dT/);
  assert.deepEqual(faults, []);
  await close();
});

test(
  'work is saved as a table for a range of days',
  { skip: skip || inCampaign.skip },
  async () => {
    const { page, close } = await visit(browser, `${busy.url}/work`);
    const today = new Date().toISOString().slice(0, 10);
    const save = async (from: string, to: string): Promise<string[]> => {
      await page.getByLabel('From').fill(from);
      await page.getByLabel('To').fill(to);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save work.csv' }).click(),
      ]);
      return readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\r\n');
    };
    await page.click('summary:text("Save as CSV or JSON")');
    const lines = await save(today, '');
    assert.ok(lines.some((line) => line.startsWith('order-1,')));
    assert.equal((await save('', '2000-01-01')).length, 1);
    assert.equal((await save('2999-01-01', '')).length, 1);
    assert.ok((await save('2000-01-01', '2999-01-01')).length > 1);
    await page.waitForURL(/[?&]from=2000-01-01&to=2999-01-01$/);
    await page.click('.tabs a:text-is("Open")');
    await page.waitForURL('**/work?*phase=open*');
    await page.reload();
    assert.equal(await page.getByLabel('From').inputValue(), '2000-01-01');
    await close();
  },
);

test('agents are saved as tables that no spreadsheet computes', { skip }, async () => {
  const client = new NetClient({ url: busy.url });
  const formula = { actorId: 'formula', key: await AgentKey.generate() };
  const description = '=HYPERLINK("http://a.example","x")';
  await client.register(formula, { description });
  const { page, close } = await visit(browser, `${busy.url}/agents?name=formula`);
  const save = async (kind: string): Promise<string> => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: `Save as ${kind}` }).click(),
    ]);
    return readFileSync(await file.path(), 'utf8');
  };
  const [head, row, end] = (await save('CSV')).split('\r\n');
  assert.equal(head, 'agent,joined at height,status,beacon,description');
  assert.match(
    row ?? '',
    /^formula,\d+,active,\w+,"'=HYPERLINK\(""http:\/\/a\.example"",""x""\)"$/,
  );
  assert.equal(end, '');
  const [agent] = JSON.parse(await save('JSON')) as Record<string, unknown>[];
  assert.deepEqual([agent?.['agent'], agent?.['description']], ['formula', description]);
  await close();
});

test('a lineage is walked from agent to agent', { skip: skip || inCampaign.skip }, async () => {
  const client = new NetClient({ url: busy.url });
  const recruit = { actorId: 'recruit', key: await AgentKey.generate() };
  await client.register(recruit, { referrerAgentId: 'alice' });
  const { page, close } = await visit(browser, `${busy.url}/agents/recruit?tab=lineage`);
  await page.click('.lineage-graph a[href^="/agents/alice"]');
  await page.waitForURL('**/agents/alice?tab=lineage');
  await page.waitForSelector('.lineage-node[data-self=true] >> text=alice');
  await page.waitForSelector('.lineage-node >> text=recruit');
  assert.deepEqual(await seriousFindings(page), []);
  await page.setViewportSize({ width: 390, height: 780 });
  await assertNoOverflow(page, 'a lineage');
  await close();
});

test(
  'money is shown over time, back to the genesis, and taken along as a table',
  { skip },
  async () => {
    const { page, faults, close } = await visit(browser, `${busy.url}/economy`);
    await page.waitForSelector('text=complete since genesis');
    await page.click('.tabs a:text-is("Escrow")');
    await page.waitForURL('**/economy?of=escrow');
    // The range covers two orders of 10 NET with fees, and zero before them.
    const drawn = '[role=img][aria-label*="between 0 and 20.4 NET, 20.4 at the end"]';
    await page.waitForSelector(`${drawn} canvas`);
    assert.deepEqual(await seriousFindings(page), []);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page
        .locator('.card:has-text("Over time")')
        .getByRole('button', { name: 'Save as CSV' })
        .click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    assert.match(lines[0] ?? '', /^behind block,circulating in unet,escrow in unet/);
    assert.match(lines[1] ?? '', /^0,\d+,0,/);
    assert.equal(lines.at(-1)?.split(',')[2], '20400000');
    await page.goBack();
    await page.waitForSelector('[role=img][aria-label^="Circulating"]');
    // On paper, the page is dark on white in every theme.
    await page.click('.menu-open');
    await page.click('.theme button:text-is("Dark")');
    const scheme = 'getComputedStyle(document.documentElement).colorScheme';
    assert.equal(await page.evaluate(scheme), 'dark');
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.evaluate(scheme), 'light');
    assert.deepEqual(faults, []);
    await close();
  },
);

test('of a token, an agent and a transition one sees what happened to them', { skip }, async () => {
  const client = new NetClient({ url: busy.url });
  const tokenId = 'tok-history';
  await client.act(operator, 'createToken', {
    tokenId,
    name: 'History',
    symbol: 'HIST',
    decimals: 1,
    initialSupply: 50,
    supplyCap: 100,
  });
  const to = 'alice';
  const sent = await client.act(operator, 'transferToken', { tokenId, to, amount: 15 });
  const { page, faults, close } = await visit(browser, `${busy.url}/tokens/${tokenId}`);
  await page.waitForSelector('.stream li:has-text("sent 1.5 of tok-history to alice")');
  await page.waitForSelector('.stream li >> text=created the token tok-history');
  assert.deepEqual(await seriousFindings(page), []);
  // Times are shown next to heights, and requested only once.
  await page.waitForSelector('.stream li:has-text("created the token") time[title^="20"]');
  const asked = await page.evaluate<string[]>(`performance.getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ pathname, search }) => /^\\/v1\\/blocks\\/?/.test(pathname) && search !== '')
    .flatMap(({ searchParams }) => (searchParams.get('heights') ?? 'alone').split(','))`);
  // Proofs request the header of a newest block themselves.
  const again = asked.filter((height, index) => asked.indexOf(height) < index);
  assert.ok(asked.length > 0 && new Set(again).size === again.length, String(asked));
  assert.ok(!asked.includes('alone'));
  await page.waitForSelector('.stream .height[title*=", made 20"]');
  await page.goto(`${busy.url}/agents/alice?tab=identity`);
  await page.waitForSelector('.card:has-text("Key history") >> text=alice joined');
  await page.waitForSelector('.card:has-text("Tokens") .holder:has-text("History") >> text=1.5');
  await page.waitForSelector('.card:has-text("Last seen") >> text=0 sent, 0 received');
  assert.deepEqual(await seriousFindings(page), []);
  await page.goto(`${busy.url}/agents/${LONG}`);
  await page.waitForSelector('.stream a[href="/work/order-1"]:has-text("“Read Unbroken")');
  await page.goto(`${busy.url}/transitions/${sent.transitionHash}`);
  await page.waitForSelector('text=It moved no NET.');
  const { orders } = await client.read('/v1/work-orders', { limit: 10 });
  const order = orders.find(({ orderId }) => orderId === 'order-1');
  const { transitions } = await client.read('/v1/blocks/{height}', {
    height: order?.createdAt.height ?? 0,
  });
  const { transitionHash = '' } = transitions[order?.createdAt.index ?? 0] ?? {};
  await page.goto(`${busy.url}/transitions/${transitionHash}`);
  await page.waitForSelector('.holder:has(a[href="/agents/operator"]) >> text=−10.2');
  await page.waitForSelector('.holder:has-text("Escrow") >> text=10.2');
  assert.deepEqual(faults, []);
  await close();
});

test(
  'actions, tokens and certificates are found, and heads of the chain are checked',
  { skip },
  async () => {
    const client = new NetClient({ url: busy.url });
    const { page, faults, close } = await visit(browser, `${busy.url}/verify`);
    const search = async (typed: string, found: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.waitForSelector('.search[open]');
      await page.fill('[role=combobox]', typed);
      await page.waitForSelector(`[role=option]:has-text("${found}")`);
      await page.keyboard.press('Escape');
      await page.waitForSelector('.search', { state: 'detached' });
    };
    const certificate = await client.read('/v1/consensus/certificates/latest');
    await search('transferTok', 'transferToken');
    await search('test your agent', 'How to test');
    await search(certificate.certificateHash, `Block ${certificate.height}`);
    await page.fill('#pasted', certificate.certificateHash);
    await page.waitForSelector(`.verdict[role=status] a[href="/blocks/${certificate.height}"]`);
    for (const path of ['/v1/state/checkpoint', '/v1/agent-trust'] as const) {
      const text = JSON.stringify(await client.read(path));
      await page.fill('#pasted', text);
      await page.waitForSelector('.verdict >> text=of this chain, and that block is certified');
      await page.fill('#pasted', text.replace('"height":', '"added":1,"height":'));
      await page.waitForSelector('text=is not the hash of its content');
    }
    assert.deepEqual(faults, []);
    await close();
  },
);

test(
  'what one chose on a page stands in its address',
  { skip: skip || inCampaign.skip },
  async () => {
    const { page, close } = await visit(browser, `${busy.url}/run`);
    await page.click('.join .tabs a:text-is("Bring a model")');
    await page.waitForURL('**/run?join=model');
    await page.reload();
    await page.waitForSelector('.join >> text=mcpServers');
    await page.goto(`${busy.url}/developers`);
    await page.fill('label:text-is("Find a read") + span input', 'agents/{agentId}');
    await page.click('.try-list button:has(code:text-is("/v1/agents/{agentId}"))');
    await page.fill('label:text-is("agentId") + span input', 'alice');
    await page.click('.samples .tabs a:text-is("Python")');
    await page.waitForSelector('.samples pre:has-text("agentId=\\"alice\\"")');
    await page.reload();
    await page.waitForSelector('.samples pre:has-text("agentId=\\"alice\\"")');
    await close();
  },
);

test('a story link plays an order step by step, with its proof', { skip }, async () => {
  const { page, faults, close } = await visit(browser, `${busy.url}/work/order-1/replay`, {
    reducedMotion: 'reduce',
  });
  await page.waitForSelector('.proof[data-standing=consistent]');
  // With reduced motion, steps wait for the reader.
  assert.equal(await page.locator('.timeline li').count(), 1);
  await page.click('.player button:text-is("Next")');
  await page.waitForSelector('.timeline li:has-text("accepted")');
  await page.waitForSelector('.player h2:text-is("Step 2 of 2")');
  await page.click('.player button:text-is("4×")');
  await page.click('.player button:text-is("Play again")');
  await page.waitForSelector('.player button:text-is("Play again")');
  await page.click('text=Show the whole order');
  await page.waitForURL(`${busy.url}/work/order-1`);
  assert.deepEqual(faults, []);
  await close();
});

describe('the picture of the front page', () => {
  test('shows what everyone locked, and a dot for each event that arrives', { skip }, async () => {
    const { page, faults, close } = await visit(browser, busy.url);
    await page.waitForSelector('.money-picture a:has-text("operator, requester: locked 20.4 NET")');
    await page.evaluate(`void (globalThis.moved = new Promise((resolve) => {
      new MutationObserver(() => document.querySelector('.money-picture .dot') && resolve())
        .observe(document.querySelector('.money-picture'), { childList: true, subtree: true });
    }))`);
    await new NetClient({ url: busy.url }).act(operator, 'createWorkOrder', {
      orderId: 'order-seen',
      title: 'An order that someone sees arrive',
      scopeHash: 'cd'.repeat(32),
      jobType: 'reading',
      funding: 30_000_000,
    });
    await page.evaluate('globalThis.moved');
    await page.waitForSelector('.money-picture a:has-text("operator, requester: locked 51 NET")');
    assert.deepEqual(faults, []);
    await close();
  });

  test('goes back to an earlier height, and to the newest one by keyboard', { skip }, async () => {
    const { orders } = await new NetClient({ url: busy.url }).read('/v1/work-orders', {
      limit: 10,
    });
    const at = Number(orders.find(({ orderId }) => orderId === 'order-1')?.createdAt.height);
    const { page, faults, close } = await visit(browser, `${busy.url}/?at=${at}`);
    await page.waitForSelector('.money-picture a:has-text("operator, requester: locked 10.2 NET")');
    await page.waitForSelector(`.front-scope:has-text("to ${at}"):has-text("Picture not checked")`);
    await page.waitForSelector('.escrow-node[aria-label="In escrow: only the newest height"]');
    assert.equal(await page.locator('.stream >> text=accepted').count(), 0);
    await page.waitForSelector(`.figures div:has-text("jobs paid by #${at}"):has-text("0")`);
    await page.focus('.time-strip input');
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('.money-picture a:has-text("requester")', { state: 'detached' });
    await page.keyboard.press('End');
    await page.waitForSelector('.strip-now:has-text("Live")');
    await page.waitForURL(`${busy.url}/`);
    await page.waitForSelector('.stream >> text=accepted');
    assert.deepEqual(faults, []);
    await close();
  });

  test('teaches three steps on an empty chain', { skip }, async () => {
    const { page, close } = await visit(browser, empty.url);
    await page.waitForSelector('.first-steps circle');
    assert.equal(await page.locator('.first-steps circle').count(), 3);
    await page.waitForSelector('.latest-job >> text=npx netd demo');
    await close();
  });
});
