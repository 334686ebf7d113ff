/** Every page in Debian's Firefox. A build visits only the first three. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plays } from '@netd/protocol/testing';
import { startGolden } from '@netd/testkit/golden-chain';
import { findPages } from './testing/find-pages.ts';
import { Firefox, noFirefox } from './testing/firefox.ts';

const THERE = `new Promise((resolve) => {
  const look = () => {
    const isThere = document.querySelector('main h1') !== null;
    const isBusy = document.querySelector('main [aria-busy], [data-standing=proving]') !== null;
    if (isThere && !isBusy) resolve(document.querySelectorAll('[data-standing=failed]').length);
    else setTimeout(look, 50);
  };
  look();
})`;

test('pages are there in Firefox, without an error', { skip: noFirefox }, async (t) => {
  const node = await startGolden();
  t.after(() => node.stop());
  const firefox = await Firefox.open();
  t.after(() => firefox.close());
  const faults = new Map<string, string[]>();
  const pages = Object.entries(await findPages(node.url));
  for (const [place, path] of plays(pages.slice(0, 3), pages)) {
    await firefox.goto(node.url + path);
    assert.equal(await firefox.evaluate(THERE), 0, `${place} shows a proof that fails`);
    const found = await firefox.takeFaults();
    if (found.length > 0) faults.set(place, found);
  }
  assert.deepEqual([...faults], []);
});
