/** The wallet in Chromium, against a real node with stores and verifiers: from no key at all to money, work, messages and sessions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Agent, AgentKey, type SessionFile } from '@netd/sdk';
import { World } from '@netd/sdk/testing/world';
import type { Browser, Locator, Page } from 'playwright-core';
import { noBrowser, openBrowser, seriousFindings, visit } from './testing/browser.ts';

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

const wallet = (): string => `${world.node.url}/wallet`;
const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

/** Saves a key file, as its owner does. */
async function save(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Save ${name}` }).click(),
  ]);
  assert.equal(file.suggestedFilename(), name);
  return readFileSync(await file.path(), 'utf8');
}

/** Makes a key in the page. @returns its files */
async function make(page: Page, name: string): Promise<string[]> {
  await page.getByLabel('Name of the agent').fill(name);
  await page.getByLabel('New passphrase').fill(PASSPHRASE);
  await page.getByLabel('The passphrase again').fill(PASSPHRASE);
  await button(page, 'Make the key').click();
  const files = [await save(page, `${name}.json`), await save(page, `${name}.encryption.json`)];
  await button(page, 'I have saved them, go on').click();
  return files;
}

/** Signs what is shown and waits for its proof. */
async function signed(page: Page, done = 'Done'): Promise<void> {
  await button(page, 'Sign and send').click();
  await page.waitForSelector('[data-fate=committed]');
  await button(page, done).click();
}

async function join(page: Page, name: string): Promise<string[]> {
  const files = await make(page, name);
  await page.getByLabel('What it does, in a sentence').fill('tries a wallet');
  await button(page, 'Go on').click();
  await signed(page, 'To the account');
  await page.getByText('Balance, free to use').waitFor();
  return files;
}

/** Draws test money, which a new key has to be allowed first. */
async function draw(page: Page, amount: string): Promise<void> {
  await page.getByRole('link', { name: 'Draw test money' }).click();
  await page.getByLabel('How much').fill(amount);
  await button(page, 'Look at it first').click();
  await button(page, 'Allow it first').click();
  await signed(page, 'Go on');
  await signed(page);
}

test('from nothing to an agent with money, which it sends', { skip }, async () => {
  const { page, faults, close } = await visit(browser, wallet());
  assert.deepEqual(await seriousFindings(page), []);
  const files = await join(page, 'ada');
  assert.ok(files.every((text) => !text.includes('PRIVATE KEY') && !/"d":/.test(text)));
  await draw(page, '50');
  await page.getByRole('link', { name: 'Send NET' }).click();
  await page.getByLabel('To', { exact: true }).fill('bob');
  await page.getByLabel('Amount').fill('12.5');
  await button(page, 'Look at it first').click();
  await button(page, 'Allow it first').click();
  await signed(page, 'Go on');
  await page.getByText('You send 12.5 NET to bob.').waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await signed(page);
  assert.equal(await world.balanceOf('bob'), 912_500_000);
  assert.equal(await world.balanceOf('ada'), 37_500_000);
  await page.getByText('37.5 NET').waitFor();
  assert.deepEqual(faults, []);
  await close();
});

/** Lets the page ask the stores of the network. */
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

    await page.getByRole('link', { name: 'Be found' }).click();
    await page.getByLabel('What you do').fill('research, reading');
    await button(page, 'Look at it first').click();
    await page.getByText('You can be found for research, reading, by everybody.').waitFor();
    await signed(page);
    const { beacons } = await world.client.read('/v1/discovery', { agentId: 'eve' });
    assert.deepEqual(beacons[0]?.capabilities, ['research', 'reading']);

    await page.getByRole('link', { name: 'Messages' }).click();
    await button(page, 'Write a message').click();
    await page.getByLabel('To', { exact: true }).fill('echo');
    await page.getByLabel('Message', { exact: true }).fill('Is anybody there?');
    await button(page, 'Look at it first').click();
    await page.getByText('You send a sealed message to echo.').waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    const stop = new AbortController();
    other.onMessage(async (message) => `You said: ${message.text}`);
    const running = other.run({ signal: stop.signal });
    await signed(page);
    await button(page, 'Open').click();
    await page.getByText('You said: Is anybody there?').waitFor();
    await button(page, 'Confirm that you have it').click();
    await signed(page);
    stop.abort();
    await running;

    await page.getByRole('link', { name: 'Work', exact: true }).last().click();
    await button(page, 'Offer work').click();
    await page.getByLabel('Title').fill('Three words');
    await page.getByLabel('What is to be done').fill('Write three words.');
    await page.getByLabel('What verifiers ask about the result').fill('Are these three words?');
    await page.getByLabel('The worker gets').fill('10');
    await button(page, 'Look at it first').click();
    await button(page, 'Allow it first').click();
    await signed(page, 'Go on');
    await page.getByText('You offer 10 NET for “Three words”, to any agent.').waitFor();
    await signed(page);
    const worker = await Agent.open('wim', world.options());
    const end = new AbortController();
    worker.onWork(async (job) => {
      await job.submit('one two three');
    });
    const works = worker.run({ signal: end.signal });
    await page.getByText('Paid. The worker has the money').waitFor();
    end.abort();
    await works;

    await page.getByRole('link', { name: 'Sessions' }).click();
    await button(page, 'Lend a key').click();
    await page.getByLabel('transfer', { exact: true }).check();
    await page.getByLabel('Budget').fill('5');
    await button(page, 'Make the key').click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /Save eve\.session/ }).click(),
    ]);
    const session = JSON.parse(readFileSync(await file.path(), 'utf8')) as SessionFile;
    await button(page, 'Look at it first').click();
    await signed(page);
    const lent = {
      actorId: 'eve',
      sessionId: session.sessionId,
      key: await AgentKey.fromPem(session),
    };
    await world.client.act(lent, 'transfer', { to: 'bob', amount: 1_000_000 });
    await page.getByText('1 NET of 5 NET spent').waitFor();
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
