import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean } from './suggest.ts';

test('the nearest words are named, and none that is far', () => {
  const words = ['publishBeacon', 'withdrawBeacon', 'faucet', 'transfer', 'transferToken'];
  assert.equal(didYouMean('publishBecon', words), '; did you mean publishBeacon?');
  assert.equal(didYouMean('FAUCET', words), '; did you mean faucet?');
  assert.equal(didYouMean('transfr', words), '; did you mean transfer?');
  assert.equal(didYouMean('trans', words), '; did you mean transfer or transferToken?');
  assert.equal(didYouMean('aad', ['ada', 'bob']), '; did you mean ada?');
  assert.equal(didYouMean('x', ['ada', 'bob']), '');
  assert.equal(didYouMean('ab', ['xy']), '');
  assert.equal(didYouMean('', words), '');
  assert.equal(didYouMean('somethingElse', []), '');
});
