/** Offers work, pays and stores content from the command line. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BlobClient } from '@netd/blobs/client';
import { sha256Hex } from '@netd/protocol';
import { done, runHere } from './testing/run-here.ts';
import { smallWorld } from './testing/small-world.ts';

const staged = smallWorld();

async function blob(hash: string): Promise<string> {
  const bytes = await new BlobClient(staged.world.origins[0] ?? '').get(hash);
  return new TextDecoder().decode(bytes ?? undefined);
}

test('money is drawn and paid, in NET', async () => {
  const first = await runHere(['faucet', '20NET', '--as', 'ada']);
  assert.equal(first.code, 0, first.stderr);
  assert.equal(
    first.stderr,
    'ada signs faucet: amount 20 NET\nada can now use faucet: capabilities extended\n',
  );
  assert.match(first.stdout, /did faucet/);
  assert.match(
    await done(['pay', 'bob', '0.5NET', '--as', 'ada', '--memo', 'thanks']),
    /ada did transfer/,
  );
  assert.match(await done('balance bob'), /^bob {2}0\.5 NET$/m);
  const wrong = await runHere(['pay', 'bob', 'much', '--as', 'ada']);
  assert.deepEqual([wrong.code, /Write 5NET or 0\.25NET/.test(wrong.stderr)], [2, true]);
});

test('work is offered with a scope that others find, and escrowed once', async () => {
  const words = [
    'work',
    'offer',
    'A haiku',
    '--funding',
    '10NET',
    '--as',
    'ada',
    '--id',
    'haiku-1',
  ];
  const unjudged = await runHere([...words, '--instructions', 'About rain.']);
  assert.deepEqual([unjudged.code, /say how the work is judged/.test(unjudged.stderr)], [2, true]);
  const file = join(staged.world.home, 'what.md');
  writeFileSync(file, 'About rain.\n');
  const question = ['--question', 'Is it a haiku?', '--instructions', `@${file}`];
  // No verifier here can judge this, because none has a model.
  const mindless = await runHere([...words, ...question, '--json']);
  const refusal = JSON.parse(mindless.stdout) as { code: string };
  assert.deepEqual([mindless.code, refusal.code], [1, 'REVIEW_NEEDS_A_MIND']);
  question.push('--review-anyway');
  const unverified = await runHere([...words, ...question, '--json']);
  const { code } = JSON.parse(unverified.stdout) as { code: string };
  assert.deepEqual([unverified.code, code], [1, 'ORDER_UNVERIFIABLE']);
  question.push('--unverified-anyway');
  const told = JSON.parse(await done([...words, ...question, '--json'])) as { scopeHash: string };
  const scope = JSON.parse(await blob(told.scopeHash)) as Record<string, unknown>;
  assert.deepEqual(
    [scope['title'], scope['instructions'], scope['acceptance']],
    ['A haiku', 'About rain.', [{ kind: 'review', question: 'Is it a haiku?' }]],
  );
  assert.match(await done('work show haiku-1'), /pays +10 NET/);
  const balance = await done('balance ada');
  assert.deepEqual(JSON.parse(await done([...words, ...question, '--json'])), told);
  assert.equal(await done('balance ada'), balance);
  const more = await runHere([...words, ...question, '--funding', '11NET', '--json']);
  assert.equal((JSON.parse(more.stdout) as { code: string }).code, 'ACT_ID_USED');
  const other = ['--acceptance', '[{"kind":"jsonschema"}]', '--instructions', 'x'];
  const unknown = await runHere([...words, ...other]);
  assert.notEqual(unknown.code, 0);
});

test('the reason of a dispute is stored before it is named on the chain, and an order that is not verified refuses it', async () => {
  const words = ['work', 'dispute', 'haiku-1', '--as', 'ada', '--reason', 'It does not rain.'];
  const { code, stdout } = await runHere([...words, '--json']);
  assert.equal(code, 1);
  assert.equal((JSON.parse(stdout) as { code: string }).code, 'WORK_NOT_VERIFIED');
  assert.equal(await blob(sha256Hex(Buffer.from('It does not rain.'))), 'It does not rain.');
});

test('stores a file that is given for a hash, and sends its hash', async () => {
  const file = join(staged.world.home, 'scope.txt');
  writeFileSync(file, 'whatever is asked');
  const words = 'act ada createWorkOrder orderId=order-2 title=X jobType=general funding=2NET';
  await done([...words.split(' '), `scopeHash=@${file}`]);
  const hash = sha256Hex(Buffer.from('whatever is asked'));
  assert.match(await done('work show order-2'), new RegExp(`scope +${hash}`));
  assert.equal(await blob(hash), 'whatever is asked');
  const more = words.replace('order-2', 'order-3').split(' ');
  await done([...more, 'scopeHash=-'], { input: 'from a pipe' });
  assert.equal(await blob(sha256Hex(Buffer.from('from a pipe'))), 'from a pipe');
});
