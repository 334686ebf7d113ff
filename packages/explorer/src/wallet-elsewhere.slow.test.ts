/** The wallet in other surroundings: plain http from another machine, a browser without Ed25519, and one with passkeys. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { inCampaign } from '@netd/protocol/testing';
import { World } from '@netd/sdk/testing/world';
import type { Browser, Page } from 'playwright-core';
import { newContext, noBrowser, openBrowser, seriousFindings, visit } from './testing/browser.ts';
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
  // The browser uses a name of another machine, but the packets stay here.
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
  await page.getByLabel('Repeat the passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Create the key' }).click();
  files = [await save(page, 'lana.json'), await save(page, 'lana.encryption.json')];
  await page.getByRole('button', { name: 'I have saved them. Continue' }).click();
  await page.getByLabel('Description, in one sentence').fill('sits on a sofa');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Sign and send' }).click();
  await page.waitForSelector('[data-fate=committed]');
  await page.getByRole('button', { name: 'To the account' }).click();
  await page.getByRole('button', { name: 'Lock' }).click();
  await page.getByLabel('Passphrase of lana').fill('another one');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByText('The passphrase does not open the file.').waitFor();
  await page.getByLabel('Passphrase of lana').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByText('Spendable balance').waitFor();
  // Chromium reports a header that has no effect over plain http.
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('Cross-Origin-Opener-Policy')),
    [],
  );
  // Files that the worker made open in any other wallet.
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

test(
  'a browser without Ed25519 opens what another has made',
  { skip: skip || inCampaign.skip },
  async () => {
    const context = await newContext(browser);
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
    await page.getByText('lacks the cryptography for agent keys').waitFor();
    await page.getByLabel('Or the content of a file').fill(files.join('\n'));
    await page.getByLabel('Passphrase, if the file has one').fill(PASSPHRASE);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('Spendable balance').waitFor();
    // An IP address cannot have passkeys, and the page names an address that can.
    await page.goto(`${world.node.url}/wallet?tab=key`);
    await page.getByLabel('Passphrase of lana').fill(PASSPHRASE);
    await page.getByRole('button', { name: 'Unlock', exact: true }).click();
    const { port } = new URL(world.node.url);
    await page.getByRole('link', { name: `http://localhost:${port}/wallet` }).waitFor();
    await context.close();
  },
);

/**
 * Changes what the browser stores about lana, as another program could.
 * @param change a script that changes `kept`
 */
const changeKept = (page: Page, change: string): Promise<unknown> =>
  page.evaluate(`new Promise((done, failed) => {
    const request = indexedDB.open('netd-wallet');
    request.onsuccess = () => {
      const transaction = request.result.transaction('keys', 'readwrite');
      const keys = transaction.objectStore('keys');
      keys.getAll().onsuccess = ({ target }) => {
        const [kept] = target.result;
        ${change};
        keys.put(kept);
      };
      transaction.oncomplete = () => done(request.result.close());
      transaction.onabort = () => failed(transaction.error);
    };
  })`);

test(
  'a passkey stands for the passphrase, with the files and never without',
  { skip: skip || inCampaign.skip },
  async () => {
    const { port } = new URL(world.node.url);
    const at = `http://localhost:${port}/wallet?tab=key`;
    const { page, faults, close } = await visit(browser, at);
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    const authenticator = async (hasPrf: boolean): Promise<string> => {
      const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          ctap2Version: 'ctap2_1',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
          hasPrf,
        },
      });
      return authenticatorId;
    };
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const byPasskey = button('Unlock with a passkey');
    const says = (text: string) => page.getByText(text).waitFor();
    const setUp = async (passphrase = PASSPHRASE): Promise<void> => {
      await page.getByLabel('Passphrase of the files').fill(passphrase);
      await button('Set up a passkey').click();
    };
    const unlock = async (): Promise<void> => {
      await page.getByLabel('Passphrase of lana').fill(PASSPHRASE);
      await button('Unlock').click();
    };
    await page.getByLabel('Or the content of a file').fill(files.join('\n'));
    await page.getByLabel('Passphrase, if the file has one').fill(PASSPHRASE);
    await button('Open').click();
    await says('It only opens the encrypted files that this browser stores');
    assert.deepEqual(await seriousFindings(page), []);

    const without = await authenticator(false);
    await setUp('another passphrase');
    await says('The passphrase does not open the file.');
    await setUp();
    await says('cannot store a secret for this page');
    await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: without });

    const authenticatorId = await authenticator(true);
    await setUp();
    await says('A passkey opens this key in this browser');
    await button('Lock').click();
    await byPasskey.click();
    await says('The files of this key');
    // The stored key has not changed, so the next visit offers the passkey again.
    await page.reload();
    await byPasskey.waitFor();
    assert.deepEqual(await seriousFindings(page), []);

    await page.evaluate(`navigator.credentials.create({ publicKey: {
      rp: { name: 'other' },
      user: { id: new Uint8Array(8), name: 'other', displayName: 'other' },
      challenge: new Uint8Array(32),
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      extensions: { prf: {} },
    } }).then(({ rawId }) => { globalThis.other = new Uint8Array(rawId); })`);
    const changes: [change: string, back: string][] = [
      [
        'kept.own = kept.passkey.credentialId; kept.passkey.credentialId = other',
        'kept.passkey.credentialId = kept.own',
      ],
      [
        "kept.files[0].text = kept.files[0].text.replace('lana', 'lara')",
        "kept.files[0].text = kept.files[0].text.replace('lara', 'lana')",
      ],
    ];
    for (const [change, back] of changes) {
      await changeKept(page, change);
      await page.reload();
      await byPasskey.click();
      await says('It is another passkey, or the files');
      await changeKept(page, back);
    }
    await page.reload();
    await byPasskey.click();
    await says('The files of this key');

    // Another page of the same browser that cannot ask passkeys for a secret. Only the passphrase is left.
    const old = await page.context().newPage();
    await old.addInitScript('PublicKeyCredential.getClientCapabilities = async () => ({})');
    await old.goto(at);
    await old.getByLabel('Passphrase of lana').fill(PASSPHRASE);
    assert.equal(await old.getByRole('button', { name: 'Unlock with a passkey' }).count(), 0);
    await old.getByRole('button', { name: 'Unlock', exact: true }).click();
    await old.getByText('The files of this key').waitFor();
    assert.equal(await old.getByText('Unlock with a passkey').count(), 0);
    await old.close();

    // The passkey is gone from the device, and set up again.
    await session.send('WebAuthn.clearCredentials', { authenticatorId });
    await button('Lock').click();
    await byPasskey.click();
    await says('No passkey answered. You cancelled, or the passkey is no longer on this device.');
    await unlock();
    await button('Remove it').click();
    await setUp();
    await says('A passkey opens this key in this browser');
    await button('Lock').click();
    // The person refuses. The device does not ask again.
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await byPasskey.click();
    await says('No passkey answered. You cancelled, or the passkey is no longer on this device.');
    await unlock();
    await button('Remove it').click();
    await says('It only opens the encrypted files that this browser stores');
    await button('Lock').click();
    await page.getByLabel('Passphrase of lana').waitFor();
    assert.equal(await byPasskey.count(), 0);
    assert.deepEqual(faults, []);
    await close();
  },
);
