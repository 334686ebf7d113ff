import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACTIONS } from '@netd/ledger';
import type { JsonObject } from '@netd/protocol';
import { payloadFromWords } from './payload-words.ts';

const read = (action: string, ...words: string[]): Promise<JsonObject> =>
  payloadFromWords(words, ACTIONS.get(action)?.payload, {
    readFile: async (path) => {
      if (path === 'terms.json') return '{"orderId":"o-1","funding":7}';
      if (path === 'title.txt') return 'From a file';
      throw new Error('ENOENT');
    },
    readInput: async () => '{"amount":3}',
  });

test('words become what the schema asks for', async () => {
  assert.deepEqual(
    await read(
      'createWorkOrder',
      'orderId=12',
      'funding=2.5NET',
      'title=a=b, c',
      'requirements=one,two',
      'acceptWithin.heights=5',
      'acceptWithin.milliseconds=60000',
      'validationPolicy.proofTypes=["ARTIFACT_HASH"]',
    ),
    {
      orderId: '12',
      funding: 2_500_000,
      title: 'a=b, c',
      requirements: ['one', 'two'],
      acceptWithin: { heights: 5, milliseconds: 60_000 },
      validationPolicy: { proofTypes: ['ARTIFACT_HASH'] },
    },
  );
  assert.deepEqual(await read('publishBeacon', 'indexable=true', 'capabilities='), {
    indexable: true,
    capabilities: [],
  });
  assert.deepEqual(await read('commitMemoryCheckpoint', 'parentCheckpointHash=null'), {
    parentCheckpointHash: null,
  });
  assert.deepEqual(await read('setAgentStatus', 'status=suspended'), { status: 'suspended' });
});

test('JSON, a file and standard input may stand among them', async () => {
  assert.deepEqual(await read('faucet', '-'), { amount: 3 });
  assert.deepEqual(await read('faucet', ' {"amount":4}'), { amount: 4 });
  assert.deepEqual(await read('createWorkOrder', '@terms.json', 'title=@title.txt'), {
    orderId: 'o-1',
    funding: 7,
    title: 'From a file',
  });
  // A chain may have actions that this command does not know.
  assert.deepEqual(await read('doMagic', 'a.b=1', 'c=x'), { a: { b: 1 }, c: 'x' });
});

test('what cannot be meant is said, and nothing is guessed', async () => {
  for (const [words, sentence] of [
    [['faucet', 'amout=1'], /no member amout; did you mean amount\?/],
    [['faucet', '{"amout":1}'], /no member amout; did you mean amount\?/],
    [['faucet', 'zzz=1'], /no member zzz; there are amount/],
    [['faucet', 'amount=1.5'], /amount: "1\.5" is not an amount\. Write 5NET/],
    [['faucet', 'amount=1,500NET'], /no commas/],
    [['faucet', 'amount=0.0000001NET'], /at most six decimals/],
    [['faucet', 'amount=1', 'amount=2'], /amount is given twice/],
    [['faucet', 'amount=1', '{"amount":2}'], /amount is given twice/],
    [['faucet', '5NET'], /no part of a payload/],
    [['faucet', '@missing.json'], /missing\.json cannot be read/],
    [['faucet', '[1]'], /must be a JSON object/],
    [['faucet', '{"amount":1,"amount":2}'], /not JSON as envelopes need it/],
    [['setAgentStatus', 'status=suspendd'], /"suspendd" is not possible; did you mean suspended\?/],
    [['publishBeacon', 'indexable=yes'], /indexable: "yes" is not possible: one of true/],
    [['publishBeacon', 'sequence=1e3'], /no whole number/],
    [['publishBeacon', 'sequence=99999999999999999'], /no whole number/],
    [['createWorkOrder', 'acceptWithin={}', 'acceptWithin.heights=1', 'acceptWithin=1'], /twice/],
    [['createWorkOrder', 'title=x', 'title.y=1'], /no member y|as a whole already/],
    [['createWorkOrder', '__proto__.x=1'], /no member __proto__/],
  ] as const) {
    const [action, ...rest] = words;
    await assert.rejects(read(action, ...rest), sentence, words.join(' '));
  }
});
