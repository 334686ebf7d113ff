/**
 * The wallet in Chromium, with a real node, stores and verifiers: from a new key to money, work, messages and
 * sessions.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { serve } from '@netd/node';
import type { JsonObject } from '@netd/protocol';
import { inCampaign } from '@netd/protocol/testing';
import { Agent, AgentKey, NetClient, type DocumentOf, type SessionFile } from '@netd/sdk';
import { World } from '@netd/sdk/testing/world';
import { makeFastDevnet } from '@netd/testkit/fast-devnet';
import type { Browser, Locator, Page } from 'playwright-core';
import {
  assertNoOverflow,
  newContext,
  noBrowser,
  openBrowser,
  seriousFindings,
  settled,
  visit,
} from './testing/browser.ts';
import { makeKeys } from './wallet/key-files.ts';

const skip = noBrowser;
const PASSPHRASE = 'four words are enough';
const ends: (() => unknown)[] = [];
let world: World;
let browser: Browser;

before(async () => {
  if (skip !== false) return;
  world = await World.start({ after: (end) => void ends.push(end as () => unknown) });
  await world.join('bob');
  await world.announceBlobs();
  await world.staff();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  for (const end of ends.toReversed()) await end();
});

/** Makes every write fail as if the browser had no space left: the request starts, and its transaction aborts. */
const FULL_BROWSER = `{
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...given) {
    const request = put.apply(this, given);
    this.transaction.abort();
    return request;
  };
}`;

const wallet = (): string => `${world.node.url}/wallet`;
const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

const tabOf = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: 'Of the wallet' }).getByRole('link', { name, exact: true });

/** Chooses a tab, and waits until it is shown. */
async function toTab(page: Page, name: string): Promise<void> {
  await tabOf(page, name).click();
  await tabOf(page, name).and(page.locator('[aria-current=page]')).waitFor();
  await settled(page);
}

/** Saves a key file, as its owner does. */
async function save(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Save ${name}` }).click(),
  ]);
  assert.equal(file.suggestedFilename(), name);
  return readFileSync(await file.path(), 'utf8');
}

async function fillKey(page: Page, name: string, passphrase = PASSPHRASE): Promise<void> {
  await page.getByLabel('Name of the agent').fill(name);
  await page.getByLabel('New passphrase').fill(passphrase);
  await page.getByLabel('Repeat the passphrase').fill(passphrase);
  await button(page, 'Create the key').click();
}

/**
 * Creates a key in the page.
 * @returns its files
 */
async function make(page: Page, name: string): Promise<string[]> {
  await fillKey(page, name);
  const files = [await save(page, `${name}.json`), await save(page, `${name}.encryption.json`)];
  await button(page, 'I have saved them. Continue').click();
  return files;
}

/** Signs what is shown, and waits for its proof. */
async function signed(page: Page, done = 'Done'): Promise<void> {
  await button(page, 'Sign and send').click();
  await page.waitForSelector('[data-fate=committed]');
  await button(page, done).click();
}

async function join(page: Page, name: string): Promise<string[]> {
  const files = await make(page, name);
  await page.getByLabel('Description, in one sentence').fill('tries a wallet');
  await button(page, 'Continue').click();
  await signed(page, 'To the account');
  await page.getByText('Spendable balance').waitFor();
  return files;
}

/** Gets test money. The same confirmation signs the permission that a new key lacks. */
async function draw(page: Page, amount: string): Promise<void> {
  await page.getByRole('link', { name: 'Get test NET' }).click();
  await page.getByLabel('Amount').fill(amount);
  await button(page, 'Review').click();
  await signed(page);
}

test('from nothing to an agent with money, which it sends', { skip }, async () => {
  const { page, faults, close } = await visit(browser, wallet());
  assert.deepEqual(await seriousFindings(page), []);
  await fillKey(page, 'ada', 'password1234');
  await page.getByText('This passphrase is easy to guess.').waitFor();
  await fillKey(page, 'bob');
  await page.getByText('The name bob is taken.').waitFor();
  await fillKey(page, 'B.O.B');
  await page.getByText('The name B.O.B is a spelling of bob, which is taken.').waitFor();
  await fillKey(page, 'h0use-ada');
  await page.getByText('The name h0use-ada belongs to the network').waitFor();
  // The name may be taken between the check and the registration, so unused files can be deleted.
  await make(page, 'nora');
  await button(page, 'Delete this key…').click();
  await button(page, 'Delete it here').click();
  await page.getByLabel('Name of the agent').waitFor();
  assert.equal(await page.getByText('Passphrase of nora').count(), 0);
  const files = await join(page, 'ada');
  const isPrimary = (name: string): Promise<boolean> =>
    page.getByRole('link', { name }).evaluate((link) => link.classList.contains('primary'));
  await page.waitForSelector('.primary:text("Get test NET")');
  assert.equal(await isPrimary('Send NET'), false);
  let signatures = 0;
  page.on(
    'request',
    (request) => void (signatures += Number(request.url().endsWith('/v1/intents'))),
  );
  assert.ok(files.every((text) => !text.includes('PRIVATE KEY') && !/"d":/.test(text)));
  await draw(page, '50');
  assert.equal(signatures, 2, 'one confirmation signs the permission and the act');
  await page.waitForSelector('.primary:text("Send NET")');
  const token = { tokenId: 'tok-tea', name: 'Tea', symbol: 'TEA', decimals: 1 };
  await world.act(world.operator, 'createToken', { ...token, initialSupply: 50, supplyCap: 50 });
  await world.act(world.operator, 'transferToken', { tokenId: 'tok-tea', to: 'ada', amount: 15 });
  await page.getByRole('link', { name: 'Send NET' }).click();
  await page.getByLabel('To', { exact: true }).fill('bob');
  await page.getByLabel('Amount').fill('12.5');
  await button(page, 'Review').click();
  await page.getByText('You send 12.5 NET to bob.').waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await signed(page);
  assert.equal(await world.balanceOf('bob'), 912_500_000);
  assert.equal(await world.balanceOf('ada'), 37_500_000);
  await page.locator('main').getByText('37.5 NET').waitFor();
  await page.waitForSelector('.card:has-text("Your tokens") .holder:has-text("Tea") >> text=1.5');
  assert.deepEqual(faults, []);
  await close();
});

/** Makes the key files of an agent that the node knows, and that has money but no permission to send it. */
async function poor(name: string, amount: number): Promise<string[]> {
  const { chainId } = await world.client.network();
  const { signing: key, files } = await makeKeys(chainId, name, PASSPHRASE);
  await world.client.register({ actorId: name, key });
  await world.act(world.operator, 'transfer', { to: name, amount });
  return files.map(({ text }) => text);
}

test(
  'nothing is signed for an act that would be refused after its permission, and one click signs once',
  { skip },
  async () => {
    await world.join('sue');
    await world.act(world.operator, 'setAgentStatus', { agentId: 'sue', status: 'suspended' });
    const files = await poor('fay', 50_000_000);
    const { page, faults, close } = await visit(browser, wallet());
    await open(page, files);
    const signatures: string[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/v1/intents')) return;
      signatures.push((request.postDataJSON() as { action: string }).action);
    });
    const fill = async (tab: Page, to: string, amount: string, memo = ''): Promise<void> => {
      await tab.getByRole('link', { name: 'Send NET' }).click();
      await tab.getByLabel('To', { exact: true }).fill(to);
      await tab.getByLabel('Amount').pressSequentially(amount);
      await tab.getByLabel('Memo, public').fill(memo);
      await button(tab, 'Review').click();
    };
    for (const [to, amount, memo, says] of [
      ['nobody', '1', '', 'RECIPIENT_UNKNOWN'],
      ['bob', '50.1', '', 'INSUFFICIENT_BALANCE'],
      ['bob', '1', 'for \u202Eada\u202C', 'TEXT_HIDDEN'],
    ] as const) {
      await fill(page, to, amount, memo);
      await page.locator('.review code', { hasText: says }).waitFor();
      await page.getByText('Your key is not allowed to do this yet.').waitFor();
      assert.equal(await button(page, 'Sign and send').isEnabled(), false, says);
      await button(page, 'Back').click();
      await button(page, 'Back').click();
    }
    await fill(page, 'sue', '1');
    await page.getByText('sue is suspended').waitFor();
    await button(page, 'Back').click();
    await button(page, 'Back').click();
    const second = await page.context().newPage();
    await second.goto(wallet());
    await second.getByLabel('Passphrase of fay').fill(PASSPHRASE);
    await button(second, 'Unlock').click();
    const earlier = await world.balanceOf('bob');
    for (const tab of [page, second]) {
      await fill(tab, 'bob', '40');
      await tab.getByText('your balance would be 10 NET').waitFor();
    }
    await button(page, 'Sign and send').evaluate((sign) => {
      for (let clicks = 0; clicks < 3; clicks++) sign.click();
    });
    await page.waitForSelector('[data-fate=committed]');
    assert.deepEqual(signatures, ['extendAgentCapabilities', 'transfer']);
    // The other tab has signed for the same permission, which is no reason not to send.
    await button(second, 'Sign and send').click();
    await second.locator('.review code', { hasText: 'INSUFFICIENT_BALANCE' }).waitFor();
    assert.equal(await world.balanceOf('bob'), earlier + 40_000_000);
    assert.deepEqual(faults, []);
    await close();
  },
);

test(
  'amounts that are typed into offers, stakes and sessions are refused as in every form',
  { skip },
  async () => {
    const files = await poor('amy', 50_000_000);
    const { page, close } = await visit(browser, wallet());
    await open(page, files);
    const refused = async (label: string, submit: string): Promise<void> => {
      for (const [typed, says] of [
        ['1,5', /digits, one point, at most six decimals, no commas/],
        ['١٢', /digits, one point, at most six decimals, no commas/],
        [' ', /Fill this in/],
        ['0', /Enter more than 0|A key that pays needs a budget/],
      ] as const) {
        const field = page.getByLabel(label);
        await field.fill('');
        await field.pressSequentially(typed);
        await button(page, submit).click();
        await page.getByRole('alert').filter({ hasText: says }).first().waitFor();
      }
    };
    await page.getByRole('link', { name: 'Stake', exact: true }).click();
    await refused('Amount', 'Review');
    await button(page, 'Back').click();
    await tabOf(page, 'Work').click();
    await button(page, 'Offer work').click();
    for (const label of ['Title', 'Brief', 'Question for the verifiers'])
      await page.getByLabel(label).fill('x');
    await refused('Payment to the worker', 'Review');
    await button(page, 'Back').click();
    await tabOf(page, 'Sessions').click();
    await button(page, 'Create a session key').click();
    await page.getByLabel('Pay up to').check();
    await refused('Budget', 'Create the key');
    await close();
  },
);

test(
  'a key of another network is not opened, and a slow clock does not hide a deadline',
  { skip },
  async () => {
    const { chainId } = await world.client.network();
    const { signing: key, files } = await makeKeys(chainId, 'dora', PASSPHRASE);
    const dora = { actorId: 'dora', key };
    await world.client.register(dora);
    const deliverWithin = { heights: 50, milliseconds: 600_000 };
    const orderId = await world.order({ agentId: 'dora', deliverWithin });
    await world.act(dora, 'acceptWork', { orderId, agentId: 'dora' });
    const { files: foreign } = await makeKeys('net-other-1', 'zoe', PASSPHRASE);
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.clock.install({ time: Date.now() - 24 * 60 * 60_000 });
    await page.goto(wallet());
    await page.getByLabel('Or the content of a file').fill(foreign[0]?.text ?? '');
    await page.getByLabel('Passphrase, if the file has one').fill(PASSPHRASE);
    await button(page, 'Open').click();
    await page
      .getByText(`This key is for the network net-other-1, and this node serves ${chainId}.`)
      .waitFor();
    await open(
      page,
      files.map(({ text }) => text),
    );
    await page
      .locator('[data-due]', { hasText: /Time left to deliver: \d+ (s|min) *Unverified$/ })
      .waitFor();
    await context.close();
  },
);

/** Permits the page to use the network's stores. */
async function allowStores(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), button(page, 'Allow them').click()]);
  await page.getByLabel('Name of the agent').waitFor();
}

test(
  'an agent that is found, pays for work, writes sealed, and lends a key',
  { skip },
  async () => {
    const { page, faults, close } = await visit(browser, wallet());
    const other = await Agent.open('echo', world.options());
    await allowStores(page);
    faults.length = 0;
    await join(page, 'eve');
    await draw(page, '100');

    await page.getByRole('link', { name: 'Go online' }).click();
    await page.getByLabel('Your skills').fill('research, reading');
    await button(page, 'Review').click();
    await page.getByText('You go online for research, reading.').waitFor();
    await signed(page);
    const { beacons } = await world.client.read('/v1/discovery', { agentId: 'eve' });
    assert.deepEqual(beacons[0]?.capabilities, ['research', 'reading']);

    await tabOf(page, 'Messages').click();
    await button(page, 'Write a message').click();
    await page.getByLabel('To', { exact: true }).fill('bob');
    await page.getByText('bob cannot be reached now').waitFor();
    await page.getByLabel('To', { exact: true }).fill('echo');
    await page.getByText('cannot be reached now').waitFor({ state: 'detached' });
    await page.getByLabel('Message', { exact: true }).fill('Is anybody there?');
    await button(page, 'Review').click();
    await page.getByText('You send an encrypted message to echo.').waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    const stop = new AbortController();
    other.onMessage(async (message) => `You said: ${message.text}`);
    const running = other.run({ signal: stop.signal });
    await signed(page);
    const answer = page.locator('li', { hasText: 'from echo' });
    await button(answer, 'Open').click();
    await page.getByText('You said: Is anybody there?').waitFor();
    // The sender reads its own message again.
    await button(page.locator('li', { hasText: 'to echo' }), 'Open').click();
    await page.getByText('Is anybody there?', { exact: true }).waitFor();
    await button(page, 'Confirm receipt').click();
    await signed(page);
    stop.abort();
    await running;

    await tabOf(page, 'Work').click();
    await button(page, 'Offer work').click();
    await page.getByLabel('Title').fill('Three words');
    await page.getByLabel('Brief').fill('Write three words.');
    await page.getByLabel('Question for the verifiers').fill('Are these three words?');
    await page.getByLabel('Payment to the worker').fill('10');
    await page.getByLabel('Required skills').fill('research');
    await button(page, 'Review').click();
    // The key lacks the permission, too, and is not asked to sign it for nothing.
    await page.getByText(/verifiers of 0 groups that judge review can vote/).waitFor();
    await button(page, 'Back').click();
    for (const verifier of world.verifiers) {
      await world.act(verifier, 'declareConditionKinds', { conditionKinds: ['review'] });
    }
    await button(page, 'Review').click();
    await page.getByText('You offer 10 NET for “Three words”, to any agent.').waitFor();
    await signed(page);
    const wim = await world.join('wim');
    const { orders } = await world.client.read('/v1/work-orders', { limit: 1 });
    assert.deepEqual(orders[0]?.conditionKinds, ['review']);
    const { orderId } = orders[0];
    await world.act(wim, 'acceptWork', { orderId, agentId: 'wim' });
    const bytes = Buffer.from('one two three');
    const deliverableHash = await world.storeAs(wim, bytes);
    await world.act(wim, 'submitWorkResult', { orderId, agentId: 'wim', deliverableHash });
    await page.getByRole('button', { name: 'Settle it' }).click();
    await button(page, 'Review').click();
    // Wait until the dispute window is over.
    for (;;) {
      const next = page.locator('.review, [role=alert]').first();
      await next.waitFor();
      if (await button(page, 'Sign and send').isEnabled()) break;
      await button(page, 'Back').click();
      await button(page, 'Review').click();
    }
    await signed(page);
    await page.getByText('Paid. The worker was paid').waitFor();

    await tabOf(page, 'Sessions').click();
    await button(page, 'Create a session key').click();
    await page.getByLabel('Pay up to').check();
    await page.getByLabel('Budget').fill('5');
    await page.getByLabel('Expires in').selectOption('1 hour');
    await button(page, 'Create the key').click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /Save eve\.session/ }).click(),
    ]);
    const session = JSON.parse(readFileSync(await file.path(), 'utf8')) as SessionFile;
    await button(page, 'Review').click();
    await page.getByText(/Another key may act for you: transfer, create work order/).waitFor();
    await page.getByText(/It can spend at most 5 NET of yours/).waitFor();
    await page
      .getByText(/It expires after #[\d,]+: in [\d,]+ blocks, \d+ min or more by the node's word/)
      .waitFor();
    await signed(page);
    const lent = {
      actorId: 'eve',
      sessionId: session.sessionId,
      key: await AgentKey.fromPem(session),
    };
    const pay = () => world.client.act(lent, 'transfer', { to: 'bob', amount: 500_000 });
    const own = '**/v1/agents/eve';
    await alter(page, own, (document) => ({ ...document, sessions: [] }));
    await pay();
    await page.getByText('The node does not list every key that acts for you.').waitFor();
    await page.unroute(own);
    await pay();
    await page.getByText('1 NET of 5 NET spent').waitFor();
    await page
      .getByText(/until #[\d,]+, in [\d,]+ blocks, \d+ min or more by the node's word/)
      .waitFor();
    await page.getByRole('button', { name: /End it now/ }).click();
    await signed(page);
    await page.getByText('No other key acts for you').waitFor();
    await assert.rejects(
      world.client.act(lent, 'transfer', { to: 'bob', amount: 1_000_000 }),
      /SESSION_UNKNOWN|session/i,
    );
    const asked = new RegExp(`^asks (${world.origins.join('|')})/blobs/`);
    assert.deepEqual(
      faults.filter((fault) => !asked.test(fault)),
      [],
    );
    await close();
  },
);

test(
  'an agent of the SDK takes an order that the wallet offers, and is paid',
  { skip: skip || inCampaign.skip },
  async () => {
    const worker = await Agent.open('onno', world.options({ capabilities: ['counting'] }));
    const told: unknown[] = [];
    for (const name of ['skipped', 'warning'] as const) {
      worker.on(name, (fact: unknown) => void told.push(fact));
    }
    worker.onWork(() => 'one two three');
    const stop = new AbortController();
    const running = worker.run({ signal: stop.signal });
    const { page, close } = await visit(browser, wallet());
    await allowStores(page);
    await join(page, 'olga');
    await draw(page, '100');
    await tabOf(page, 'Work').click();
    await button(page, 'Offer work').click();
    await page.getByLabel('Title').fill('Count to three');
    await page.getByLabel('Brief').fill('Write three words.');
    await page.getByLabel('Question for the verifiers').fill('Are these three words?');
    await page.getByLabel('Payment to the worker').fill('10');
    await page.getByLabel('Required skills').fill('counting');
    await button(page, 'Review').click();
    await signed(page);
    await page.getByText('Paid. The worker was paid').waitFor();
    assert.deepEqual(told, []);
    assert.equal(await world.balanceOf('onno'), 10_000_000);
    stop.abort();
    await running;
    await close();
  },
);

/** Opens a key by pasting its files. */
async function unseal(page: Page, files: readonly string[]): Promise<void> {
  await page.getByLabel('Or the content of a file').fill(files.join('\n'));
  await page.getByLabel('Passphrase, if the file has one').fill(PASSPHRASE);
  await button(page, 'Open').click();
}

async function open(page: Page, files: readonly string[]): Promise<void> {
  await unseal(page, files);
  await page.getByText('Spendable balance').waitFor();
}

/** Members of documents that lies change one by one. */
type Lists = Pick<DocumentOf<'/v1/work-orders'>, 'orders'>;

/** Alters what the node answers at these addresses. */
const alter = (
  page: Page,
  address: string | RegExp,
  change: (document: Lists) => object,
): Promise<unknown> =>
  page.route(address, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as Lists) });
  });

/** Creates an agent with money and the permission to send it, in a browser context of its own. */
async function rich(name: string): Promise<string[]> {
  const { page, close } = await visit(browser, wallet());
  const files = await join(page, name);
  await draw(page, '50');
  await fillTransfer(page, '1');
  await signed(page);
  await close();
  return files;
}

async function fillTransfer(page: Page, amount: string): Promise<void> {
  await page.getByRole('link', { name: 'Send NET' }).click();
  await page.getByLabel('To', { exact: true }).fill('bob');
  await page.getByLabel('Amount').fill(amount);
  await button(page, 'Review').click();
}

/** Moves the expiry of the stored refused act to a height long past. */
const EXPIRE_REFUSED = `new Promise((done) => {
  indexedDB.open('netd-wallet').addEventListener('success', ({ target }) => {
    const change = target.result.transaction('acts', 'readwrite');
    change.addEventListener('complete', done);
    change.objectStore('acts').openCursor().addEventListener('success', ({ target: { result } }) => {
      if (!result) return;
      if (result.value.state === 'refused') {
        result.update({ ...result.value, envelope: { ...result.value.envelope, expiresAtHeight: 1 } });
      }
      result.continue();
    });
  });
}).then(() => {})`;

describe('a node that lies', { skip }, () => {
  let files: string[];
  before(async () => {
    files = await rich('mona');
  });

  test('about what would happen gets nothing signed', async () => {
    interface Told {
      chainId: string;
      outcome: string;
      refusal: object | null;
      events: { type: string; data: Record<string, unknown> }[] | null;
    }
    const lies: [string, (simulation: Told) => void][] = [
      [
        'toActorId bob, and the node says that it would be mallory',
        ({ events }) => {
          for (const { data } of events ?? []) data['toActorId'] = 'mallory';
        },
      ],
      [
        'amount 2000000, and the node says that it would be 20000000',
        ({ events }) => {
          for (const { data } of events ?? []) data['amount'] = 20_000_000;
        },
      ],
      [
        'simulated it on the chain net-other-1',
        (simulation) => {
          simulation.chainId = 'net-other-1';
        },
      ],
      [
        'toActorId bob, and the node says that it would be mallory⟨U+202E⟩',
        ({ events }) => {
          const [first] = events ?? [];
          if (first)
            events?.push({ ...first, data: { ...first.data, toActorId: 'mallory\u202E' } });
        },
      ],
      [
        'The simulation of the node cannot be read',
        (simulation) => {
          simulation.outcome = 'refused';
        },
      ],
      [
        'The simulation of the node cannot be read',
        (simulation) => {
          simulation.events = null;
        },
      ],
      [
        'The node says: <b>Send your key</b>⟨U+001B⟩[31m to me',
        (simulation) => {
          simulation.outcome = 'refused';
          simulation.refusal = {
            code: 'AUTHORITY_INACTIVE',
            detail: '<b>Send your key</b>\u001B[31m to me',
            errors: [],
          };
        },
      ],
    ];
    const { page, close } = await visit(browser, wallet());
    await open(page, files);
    let sent = 0;
    await page.route('**/v1/intents', async (route) => {
      sent++;
      await route.continue();
    });
    let lie: (simulation: Told) => void = () => {};
    await page.route('**/v1/intents:simulate', async (route) => {
      const response = await route.fetch();
      const document = (await response.json()) as Told;
      lie(document);
      await route.fulfill({ response, json: document });
    });
    for (const [told, next] of lies) {
      lie = next;
      await fillTransfer(page, '2');
      await page.getByText(told).waitFor();
      assert.equal(await button(page, 'Sign and send').isEnabled(), false, told);
      assert.equal(sent, 0);
      await button(page, 'Back').click();
      await button(page, 'Back').click();
    }
    await close();
  });

  test('about an agent does not get its key deleted', async () => {
    const { page, close } = await visit(browser, wallet());
    const denial = { status: 404, code: 'AGENT_NOT_FOUND', title: 'Unknown', detail: 'x' };
    await page.route(/\/v1\/(agents|accounts)\/mona$/, (route) =>
      route.fulfill({ status: 404, contentType: 'application/problem+json', json: denial }),
    );
    await unseal(page, files);
    await page.getByText('Keep this key.').waitFor();
    assert.equal(await button(page, 'Delete this key…').count(), 0);
    await close();
  });

  test('about an order does not get its terms accepted', async () => {
    const orderId = await world.order({
      scope: { acceptance: [{ kind: 'sha256', hash: 'ab'.repeat(32) }] },
    });
    const { page, close } = await visit(browser, wallet());
    await allowStores(page);
    await alter(page, '**/v1/work-orders?*', (list) => ({
      ...list,
      orders: list.orders.map((one) => ({ ...one, funding: one.funding * 100 })),
    }));
    await open(page, files);
    await tabOf(page, 'Work').click();
    const takeOn = page.getByRole('button', { name: /^Take this job Say what it is/ });
    await takeOn.click();
    await page.getByText('These values of this order do not match its proof: funding').waitFor();
    assert.equal(await button(page, 'Review').count(), 0);
    await page.unroute('**/v1/work-orders?*');
    await page.reload();
    await page.getByLabel('Passphrase of mona').fill(PASSPHRASE);
    await button(page, 'Unlock').click();
    await takeOn.click();
    await page.getByText('These terms are checked here.').waitFor();
    const time = /Time to deliver: \d+ (s|min|h), or [\d,]+ blocks? if they take longer/;
    await page.getByText(time).waitFor();
    await button(page, 'Review').click();
    await page.locator('.review', { hasText: time }).waitFor();
    await signed(page);
    await page.waitForSelector('[data-due] [role=timer]');
    // A later deadline and slow blocks give no more time, and a hidden job is missed.
    const later = { height: 1e9, time: '2999-01-01T00:00:00.000Z' };
    const deliverWithin = { heights: 1e9, milliseconds: 1e12 };
    await alter(page, /\/v1\/network$/, (network) => ({ ...network, blockTimeMs: 1e9 }));
    await alter(page, /\/v1\/work-orders\?.*status=ACCEPTED/, (list) => ({
      ...list,
      orders: list.orders.map((one) => ({ ...one, deadline: later, deliverWithin })),
    }));
    await alter(page, /\/v1\/work-orders\?(?!.*status=)/, (list) => ({ ...list, orders: [] }));
    await world.act(world.operator, 'transfer', { to: 'bob', amount: 1 });
    await page.getByText('The node does not list every order of yours.').waitFor();
    assert.match((await page.textContent('[data-due] [role=timer]')) ?? '', /^23 h$/);
    const { order } = await world.client.read('/v1/work-orders/{orderId}', { orderId });
    assert.equal(order.workerId, 'mona');
    await close();
  });

  test(
    'that warns of too few verifiers is believed, unless the person insists on the order',
    inCampaign,
    async () => {
      const { page, close } = await visit(browser, wallet());
      await page.route('**/v1/intents:simulate', async (route) => {
        const response = await route.fetch();
        const told = (await response.json()) as JsonObject;
        const data = { requiredAccepts: 7, eligibleGroups: 3 };
        const warnings = [{ code: 'ROSTER_TOO_SMALL', message: 'Too few.', data }];
        await route.fulfill({ response, json: { ...told, warnings } });
      });
      await open(page, files);
      await tabOf(page, 'All actions').click();
      await page.getByRole('link', { name: /^Create work order/ }).click();
      const typed = { orderId: 'order-x', title: 'X', scopeHash: 'ab'.repeat(32), jobType: 'x' };
      for (const [name, text] of Object.entries({ ...typed, funding: '1' })) {
        await page.locator(`[name="${name}"]`).fill(text);
      }
      await button(page, 'Review').click();
      await page.getByText(/it needs 7 accepts from as many groups/).waitFor();
      await button(page, 'Back').click();
      await page.getByLabel(/unverifiedAnyway/).check();
      await button(page, 'Review').click();
      await page.getByText('Your key is not allowed to do this yet.').waitFor();
      await close();
    },
  );

  test('about the chain that it serves gets nothing signed', async () => {
    const { page, close } = await visit(browser, wallet());
    await open(page, files);
    await page.route('**/v1/state/proof?key=chain*', async (route) => {
      const response = await route.fetch();
      const document = (await response.json()) as { value: { chainId: string } };
      document.value.chainId = 'net-other-1';
      await route.fulfill({ response, json: document });
    });
    await fillTransfer(page, '2');
    await page.getByText('The node does not prove which chain this is').waitFor();
    assert.equal(await button(page, 'Sign and send').count(), 0);
    await close();
  });

  test('about a refusal is not paid twice', async () => {
    const earlier = await world.balanceOf('mona');
    const { page, close } = await visit(browser, wallet());
    await open(page, files);
    const expiries: number[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/v1/intents')) return;
      const { expiresAtHeight } = request.postDataJSON() as { expiresAtHeight: number };
      expiries.push(expiresAtHeight);
    });
    const refuseAll = (executes: boolean) =>
      page.route('**/v1/intents', async (route) => {
        if (executes) await route.fetch();
        const problem = {
          type: 'about:blank',
          title: 'Not enough',
          status: 409,
          code: 'INSUFFICIENT_BALANCE',
          detail: 'You have too little.',
          requestId: 'x',
        };
        await route.fulfill({ status: 409, json: problem });
      });
    await refuseAll(true);
    await fillTransfer(page, '2');
    await button(page, 'Sign and send').click();
    await page.waitForSelector('[data-fate=refused]');
    await page.unroute('**/v1/intents');
    await button(page, 'Change it').click();
    // Another amount changes nothing: the falsely refused act and its replacement are one payment.
    await page.getByLabel('Amount').fill('3');
    await button(page, 'Review').click();
    await button(page, 'Sign and send').click();
    await page.getByText('Already done before').waitFor();
    assert.equal(await world.balanceOf('mona'), earlier - 2_000_000);
    await button(page, 'Close').click();
    // If the node held back the second until the first was forgotten, it would be another payment.
    assert.equal(expiries.length, 2);
    assert.equal(expiries[0], expiries[1]);
    // The fate of both is known now, so the next payment is another one. A falsely refused act is found.
    await refuseAll(true);
    await fillTransfer(page, '4');
    await button(page, 'Sign and send').click();
    await page.waitForSelector('[data-fate=refused]');
    await page.unroute('**/v1/intents');
    await button(page, 'Change it').click();
    await button(page, 'Review').click();
    await page.getByText('the chain shows that it was executed. The refusal was false').waitFor();
    assert.equal(await button(page, 'Sign and send').count(), 0);
    assert.equal(await world.balanceOf('mona'), earlier - 6_000_000);
    await button(page, 'Back').click();
    await button(page, 'Back').click();
    // Nothing can be proven about an expired act, and the page says so.
    await refuseAll(false);
    await fillTransfer(page, '5');
    await button(page, 'Sign and send').click();
    await page.waitForSelector('[data-fate=refused]');
    await page.unroute('**/v1/intents');
    await page.evaluate(EXPIRE_REFUSED);
    await button(page, 'Change it').click();
    await button(page, 'Review').click();
    await page.getByText('The refusal cannot be proven').waitFor();
    await signed(page);
    assert.equal(await world.balanceOf('mona'), earlier - 11_000_000);
    await close();
  });

  test('about having done it is not believed; a lost answer is asked for with the same bytes', async () => {
    const earlier = await world.balanceOf('mona');
    const { page, close } = await visit(browser, wallet());
    await open(page, files);
    const bodies = new Set<string | null>();
    await page.route('**/v1/intents', async (route) => {
      bodies.add(route.request().postData());
      await route.fetch();
      await route.abort();
    });
    await fillTransfer(page, '2');
    await button(page, 'Sign and send').click();
    await page.getByText('Retrying is safe: it can only happen once.').waitFor();
    assert.equal(await page.locator('[data-fate]').count(), 1, 'one card');
    // The tab closes. The signed act is there when the wallet is opened again.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.reload();
    await page.getByLabel('Passphrase of mona').fill(PASSPHRASE);
    await button(page, 'Unlock').click();
    await page.route('**/v1/intents', async (route) => {
      bodies.add(route.request().postData());
      await route.continue();
    });
    // The page settles it without a click.
    await page.getByText('Done, and checked here').waitFor();
    await button(page, 'Close').click();
    assert.equal(bodies.size, 1);
    assert.equal(await world.balanceOf('mona'), earlier - 2_000_000);
    await close();
  });

  test('a node whose disk is full gets the same bytes again when it has room', async () => {
    const earlier = await world.balanceOf('mona');
    const { page, close } = await visit(browser, wallet());
    await open(page, files);
    const bodies = new Set<string | null>();
    let isFull = true;
    await page.route('**/v1/intents', async (route) => {
      bodies.add(route.request().postData());
      if (!isFull) return route.continue();
      const problem = {
        type: 'about:blank',
        title: 'The node cannot write to its disk',
        status: 503,
        code: 'STORAGE_UNAVAILABLE',
        detail: 'The disk of the node is full.',
        requestId: 'x',
      };
      return route.fulfill({ status: 503, headers: { 'retry-after': '0' }, json: problem });
    });
    await fillTransfer(page, '1');
    await button(page, 'Sign and send').click();
    await page.getByText('The disk of the node is full.').waitFor();
    assert.equal(await page.locator('[data-fate=open]').count(), 1);
    // Now the browser has no room, so the outcome cannot be stored.
    await page.evaluate(FULL_BROWSER);
    isFull = false;
    await page.waitForSelector('[data-fate=committed]');
    assert.equal(bodies.size, 1);
    assert.equal(await world.balanceOf('mona'), earlier - 1_000_000);
    // The next act is not sent before the person has saved it.
    await button(page, 'Done').click();
    await fillTransfer(page, '1');
    await button(page, 'Sign and send').click();
    await page.getByText('Nothing has been sent yet').waitFor();
    assert.equal(bodies.size, 1);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Save it and send').click(),
    ]);
    await page.waitForSelector('[data-fate=committed]');
    const kept = JSON.parse(readFileSync(await file.path(), 'utf8')) as unknown;
    assert.deepEqual(kept, JSON.parse([...bodies].at(-1) ?? ''));
    assert.equal(await world.balanceOf('mona'), earlier - 2_000_000);
    await close();
  });

  test(
    'two tabs with one key act for one agent, and each sees what the other signed',
    inCampaign,
    async () => {
      const { page, close } = await visit(browser, wallet());
      await open(page, files);
      const second = await page.context().newPage();
      // The browser's list of loaded files is full, but the wallet's files are checked nevertheless.
      await second.goto(world.node.url);
      await settled(second);
      await second.evaluate(
        `Promise.all(Array.from({ length: 260 }, () => fetch('/v1/wallet/releases'))).then(() => {})`,
      );
      await second.getByRole('link', { name: 'Wallet', exact: true }).click();
      await second.getByLabel('Passphrase of mona').fill(PASSPHRASE);
      await button(second, 'Unlock').click();
      await second.getByText('Spendable balance').waitFor();
      await tabOf(second, 'Key').click();
      await second.waitForSelector('[data-build=named]');
      await second.getByText('The files and their hashes').click();
      await second
        .getByText(/explorer\/.*wallet.*\.js/)
        .first()
        .waitFor();
      await tabOf(second, 'Account').click();
      await fillTransfer(page, '1');
      await fillTransfer(second, '1');
      await Promise.all([signed(page), signed(second)]);
      for (const tab of [page, second]) {
        await tab.getByText('Signed in this browser').waitFor();
        const transfers = tab.locator('tr', { hasText: 'transfer' });
        await transfers.nth(1).waitFor();
        assert.equal(await transfers.count(), 2);
      }
      await close();
    },
  );

  test(
    'a browser that keeps nothing sends nothing before the person has saved what was signed',
    inCampaign,
    async () => {
      const context = await newContext(browser);
      await context.addInitScript(() => {
        Object.defineProperty(globalThis, 'indexedDB', {
          value: {
            open: () => {
              throw new DOMException('refused', 'SecurityError');
            },
          },
        });
      });
      const page = await context.newPage();
      await page.goto(wallet());
      await open(page, files);
      await fillTransfer(page, '1');
      const [request] = await Promise.all([
        page.waitForRequest('**/v1/intents'),
        (async () => {
          await button(page, 'Sign and send').click();
          await page.getByText('Nothing has been sent yet').waitFor();
          const [file] = await Promise.all([
            page.waitForEvent('download'),
            button(page, 'Save it and send').click(),
          ]);
          return file;
        })(),
      ]);
      assert.equal(request.method(), 'POST');
      await page.waitForSelector('[data-fate=committed]');
      await context.close();
    },
  );

  test('a wallet locks after a time without use, and on request', async () => {
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(wallet());
    await open(page, files);
    await page.clock.runFor(9 * 60_000);
    await page.keyboard.press('Shift');
    await page.clock.runFor(9 * 60_000);
    await page.getByText('Spendable balance').waitFor();
    await page.clock.runFor(2 * 60_000);
    await page.getByLabel('Passphrase of mona').fill(PASSPHRASE);
    await button(page, 'Unlock').click();
    await button(page, 'Lock').click();
    await page.getByLabel('Passphrase of mona').waitFor();
    await page.getByLabel('Passphrase of mona').fill('another one');
    await button(page, 'Unlock').click();
    await page.getByText('The passphrase does not open the file.').waitFor();
    await context.close();
  });

  test('with the keyboard alone, on a phone and in the dark', async () => {
    const { page, faults, close } = await visit(browser, wallet(), {
      viewport: { width: 390, height: 780 },
      colorScheme: 'dark',
    });
    assert.deepEqual(await seriousFindings(page), []);
    await assertNoOverflow(page, 'the gate');
    await open(page, files);
    await assertNoOverflow(page, 'the account');
    // A window of 1280 at 400 %.
    await page.setViewportSize({ width: 320, height: 256 });
    for (const tab of ['Account', 'Work', 'Messages', 'Sessions', 'All actions', 'Key']) {
      await toTab(page, tab);
      await assertNoOverflow(page, `${tab} at 400 %`);
    }
    await tabOf(page, 'Account').click();
    await fillTransfer(page, '1');
    await button(page, 'Sign and send').waitFor();
    await page.getByText('Everything that you sign').click();
    await assertNoOverflow(page, 'a review at 400 %');
    await button(page, 'Back').click();
    await button(page, 'Back').click();
    await page.setViewportSize({ width: 390, height: 780 });
    await page.getByRole('link', { name: 'Send NET' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('To', { exact: true }).focus();
    await page.keyboard.type('bob');
    await page.keyboard.press('Tab');
    await page.keyboard.type('0.5');
    await page.keyboard.press('Enter');
    await page.getByText('You send 0.5 NET to bob.').waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    await assertNoOverflow(page, 'a review');
    // The sentence has the focus. Tab leads to its links, the whole envelope, and the button.
    for (let at = 0; at < 12; at++) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate<string>('document.activeElement.textContent');
      if (name === 'Sign and send') break;
    }
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-fate=committed]');
    await button(page, 'Done').click();
    for (const tab of ['Work', 'Messages', 'Sessions', 'All actions', 'Key']) {
      await toTab(page, tab);
      await page.waitForSelector('main .card');
      assert.deepEqual(await seriousFindings(page), [], tab);
      await assertNoOverflow(page, tab);
    }
    await page.waitForSelector('[data-build=named]');
    assert.deepEqual(faults, []);
    await close();
  });
});

test(
  'unfinished work is listed, and a release of an order for one agent is said to end it',
  { skip },
  async () => {
    const { chainId } = await world.client.network();
    const { signing: key, files } = await makeKeys(chainId, 'kim', PASSPHRASE);
    const kim = { actorId: 'kim', key };
    await world.client.register(kim);
    const offer = async (orderId: string): Promise<void> => {
      const terms = { jobType: 'reading', scopeHash: 'ab'.repeat(32), funding: 1_000_000 };
      const order = { orderId, title: orderId, agentId: 'kim', jury: 'none', ...terms };
      await world.act(world.operator, 'createWorkOrder', order);
    };
    await offer('kept');
    await world.act(kim, 'acceptWork', { orderId: 'kept', agentId: 'kim' });
    // A list has 50 orders, and more than 50 are newer than the order of kim.
    await Promise.all(
      Array.from({ length: 51 }, async (_, at) => {
        await offer(`gone-${at}`);
        await world.act(world.operator, 'cancelWorkOrder', { orderId: `gone-${at}` });
      }),
    );
    const { page, close } = await visit(browser, wallet());
    await open(
      page,
      files.map(({ text }) => text),
    );
    await tabOf(page, 'Work').click();
    await page.getByRole('button', { name: 'Give it back kept' }).click();
    await button(page, 'Review').click();
    await page
      .getByText('This order is for you alone: it ends, and its requester is refunded.')
      .waitFor();
    await signed(page);
    const { order } = await world.client.read('/v1/work-orders/{orderId}', { orderId: 'kept' });
    assert.deepEqual([order.status, order.reason], ['REJECTED', 'RELEASED']);
    await close();
  },
);

test(
  'what an operator types stays while blocks arrive, although no agent has its name',
  { skip },
  async () => {
    const { page, close } = await visit(browser, wallet());
    const file = joinPath(world.home, 'chain/keys/operator.json');
    await open(page, [readFileSync(file, 'utf8')]);
    await page.getByRole('link', { name: 'Send NET' }).click();
    const to = page.getByLabel('To', { exact: true });
    await to.fill('bob');
    const field = await to.elementHandle();
    for (const name of ['noise-1', 'noise-2']) {
      const asked = page.waitForResponse(/\/v1\/agents\/operator$/);
      await world.join(name);
      await asked;
    }
    assert.equal(await field?.evaluate((element) => element.isConnected), true);
    assert.equal(await to.inputValue(), 'bob');
    await close();
  },
);

test('a key is changed, and the old file does nothing any more', { skip }, async () => {
  const { page, close } = await visit(browser, wallet());
  const old = await join(page, 'rosa');
  await tabOf(page, 'Key').click();
  await button(page, 'Change the key').click();
  await page.getByLabel('Passphrase of the current key').fill(PASSPHRASE);
  await button(page, 'Create the new key').click();
  const next = await save(page, 'rosa.json');
  await button(page, 'Review').click();
  await button(page, 'Sign and send').click();
  await page.waitForSelector('[data-fate=committed]');
  await button(page, 'Done').click();
  await page.goto(wallet());
  await open(page, [next, old[1] ?? '']);
  await draw(page, '5');
  await button(page, 'Lock').click();
  await page.getByLabel('Or the content of a file').fill(old.join('\n'));
  await page.getByLabel('Passphrase, if the file has one').fill(PASSPHRASE);
  await button(page, 'Open').click();
  await page.getByText('The node names another key for rosa').waitFor();
  await close();
});

test(
  'a key that is made again is saved again before it is signed for',
  { skip: skip || inCampaign.skip },
  async () => {
    const { page, close } = await visit(browser, wallet());
    await join(page, 'sara');
    await tabOf(page, 'Key').click();
    await button(page, 'Change the key').click();
    await page.getByLabel('Passphrase of the current key').fill(PASSPHRASE);
    await button(page, 'Create the new key').click();
    await save(page, 'sara.json');
    await button(page, 'Back').click();
    await button(page, 'Create the new key').click();
    const look = button(page, 'Review');
    await look.waitFor();
    assert.ok(await look.isDisabled(), 'an unsaved key could replace the old one');
    await save(page, 'sara.json');
    // Playwright waits until it is enabled.
    await look.click({ trial: true });
    await tabOf(page, 'Sessions').click();
    await button(page, 'Create a session key').click();
    const saveSession = page.getByRole('button', { name: /Save sara\.session/ });
    await button(page, 'Create the key').click();
    await Promise.all([page.waitForEvent('download'), saveSession.click()]);
    await button(page, 'Back').click();
    await button(page, 'Create the key').click();
    await saveSession.waitFor();
    assert.ok(await look.isDisabled(), 'an unsaved key could become a session key');
    await close();
  },
);

test('the money of a laboratory is never shown as worth something', { skip }, async (t) => {
  const dataDir = mkdtempSync(joinPath(tmpdir(), 'netd-laboratory-'));
  const lab = await serve({ host: '127.0.0.1', port: 0, dataDir, laboratory: true, blockTime: 1 });
  t.after(async () => {
    await lab.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const { page, close } = await visit(browser, `${lab.url}/wallet`);
  // Once the chain has proven that it is a laboratory, the node cannot hide it.
  await page.route('**/v1/network', async (route) => {
    const response = await route.fetch();
    const document = (await response.json()) as { laboratory?: boolean };
    assert.equal(document.laboratory, true);
    delete document.laboratory;
    await route.fulfill({ response, json: document });
  });
  await page.reload();
  const nothing = page.getByText('This chain is a laboratory: its NET is worth nothing.');
  await nothing.waitFor();
  await make(page, 'lena');
  await page.getByLabel('Description, in one sentence').fill('tries a laboratory');
  await button(page, 'Continue').click();
  await button(page, 'Sign and send').waitFor();
  assert.equal(await page.locator('.review >> text=its NET is worth nothing').count(), 1);
  assert.deepEqual(await seriousFindings(page), []);
  await signed(page, 'To the account');
  await page.getByText('Balance, worth nothing').waitFor();
  assert.equal(await page.getByText('Spendable balance').count(), 0);
  await page.setViewportSize({ width: 390, height: 780 });
  await assertNoOverflow(page, 'the account in a laboratory');
  assert.deepEqual(await seriousFindings(page), []);
  await close();
});

test(
  'a name that costs work is worked for after its price was shown, and the work can be stopped',
  { skip },
  async (t) => {
    const dataDir = mkdtempSync(joinPath(tmpdir(), 'netd-names-'));
    makeFastDevnet(dataDir, { policy: { names: { price: 'work', workBits: 10 } } });
    const node = await serve({ host: '127.0.0.1', port: 0, dataDir, blockTime: 1 });
    t.after(async () => {
      await node.stop();
      rmSync(dataDir, { recursive: true, force: true });
    });
    const { page, faults, close } = await visit(browser, `${node.url}/wallet`);
    await page.route('**/v1/network', async (route) => {
      const response = await route.fetch();
      const status = (await response.json()) as { registration: { workBits: number } };
      status.registration.workBits = 30;
      await route.fulfill({ response, json: status });
    });
    await page.reload();
    await make(page, 'wilma');
    await page.getByText('A name costs computing time here').waitFor();
    await button(page, 'Continue').click();
    await page.getByText('it takes about 1,073,741,824').waitFor();
    await page.locator('progress').and(page.getByLabel('Work for the name')).waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    await page.setViewportSize({ width: 390, height: 780 });
    await assertNoOverflow(page, 'the work for a name');
    await button(page, 'Stop').click();
    await button(page, 'Continue').waitFor();
    assert.deepEqual(faults, []);
    await close();
    const honest = await visit(browser, `${node.url}/wallet`);
    await join(honest.page, 'wilma');
    const client = new NetClient({ url: node.url });
    const { agent } = await client.read('/v1/agents/{agentId}', { agentId: 'wilma' });
    assert.equal(agent.workBits, 10);
    await honest.close();
  },
);
