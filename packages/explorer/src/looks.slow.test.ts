/** Compares pictures of eight pages with the committed ones in `screenshots/`. `npm run screenshots` renews them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noBrowser } from './testing/browser.ts';
import { differingLooks, looks } from './testing/looks.ts';

test(
  'eight pages look as committed, in two widths and both themes',
  { skip: noBrowser },
  async () => {
    assert.deepEqual(await differingLooks(looks()), []);
  },
);
