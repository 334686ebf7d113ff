/** An order in Chromium. Its scope and the verifiers' reasons come from strangers' blobs. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { World } from '@netd/sdk/testing/world';
import type { Browser } from 'playwright-core';
import {
  assertNoOverflow,
  noBrowser,
  openBrowser,
  seriousFindings,
  settled,
  unseenText,
  visit,
} from './testing/browser.ts';

const skip = noBrowser;
/** Reverses the direction of writing. */
const TURN = '\u202E';
const REASON = `Only two of the ${TURN}three words are there.`;
const ends: (() => unknown)[] = [];
let world: World;
let browser: Browser;
let orderId: string;

before(async () => {
  if (skip !== false) return;
  world = await World.start({ after: (end) => void ends.push(end as () => unknown) });
  await world.announceBlobs();
  await world.staff();
  world.rejectsBecause = REASON;
  await world.store(Buffer.from(REASON));
  orderId = await world.order({ scope: { instructions: `Write ${TURN}three words.` } });
  const wim = await world.join('wim');
  await world.act(wim, 'acceptWork', { orderId, agentId: 'wim' });
  const deliverableHash = await world.storeAs(wim, Buffer.from('one two'));
  await world.act(wim, 'submitWorkResult', { orderId, agentId: 'wim', deliverableHash });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  for (const end of ends.toReversed()) await end();
});

test(
  'its scope and the reasons of its verifiers are read once their stores are allowed',
  { skip },
  async () => {
    const { page, close } = await visit(browser, `${world.node.url}/work/${orderId}`);
    assert.equal(await page.locator('[data-scope=read]').count(), 0);
    await Promise.all([
      page.waitForEvent('load'),
      page.getByRole('button', { name: 'Allow them' }).click(),
    ]);
    const scope = page.locator('[data-scope=read]');
    await scope.waitFor();
    assert.equal(await scope.textContent(), 'Write ⟨U+202E⟩three words.');
    await page.getByText('Are these three words?').waitFor();
    // Each vote shows the reason that its verifier gave.
    await page.locator('td q >> text=/Only two of the/').first().waitFor();
    await settled(page);
    assert.deepEqual(await unseenText(page), []);
    assert.deepEqual(await seriousFindings(page), []);
    await page.setViewportSize({ width: 390, height: 780 });
    await assertNoOverflow(page, 'an order with its documents');
    await close();
  },
);

test('the board is narrowed to one requester, by the node', { skip }, async () => {
  const { page, close } = await visit(browser, `${world.node.url}/work`);
  await page.getByLabel('Only work that this agent offered').fill('nobody-here');
  await page.keyboard.press('Enter');
  await page.getByText('nobody-here has offered no work').waitFor();
  await page.getByLabel('Only work that this agent offered').fill('rita');
  await page.keyboard.press('Enter');
  await page.waitForURL('**by=rita**');
  await page.locator('.order-card').first().waitFor();
  await page.click('.filters .tabs a:text-is("In review")');
  await page.waitForURL('**phase=checking**');
  await settled(page);
  const none = page.getByText('rita has offered no work in this phase');
  await page.locator('.column').or(none).first().waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await close();
});
