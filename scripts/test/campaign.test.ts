/** The campaign: no test that a build leaves out may be forgotten. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isOfCampaign, partOf, PARTS } from './campaign-parts.ts';
import { isSlow, testFiles } from './test-files.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

test('each file of the campaign belongs to a part, and no part is empty', () => {
  const files = testFiles('campaign', [], {}).filter(isOfCampaign);
  assert.deepEqual(
    files.filter((file) => partOf(file) === undefined),
    [],
  );
  const used = new Set(files.map(partOf));
  const empty = Object.entries(PARTS).filter(([name, { jobs }]) => !jobs && !used.has(name));
  assert.deepEqual(empty, []);
});

test('a slow file of which a build runs only some cases belongs to the campaign', () => {
  const marked = testFiles('slow', [], {}).filter((file) =>
    /\b(?:\.\.\.inCampaign|inCampaign[,.}]|plays\(|fewOfEach\()/.test(readFileSync(file, 'utf8')),
  );
  assert.ok(marked.length > 5);
  assert.deepEqual(
    marked.filter((file) => !isSlow(file) || !isOfCampaign(file)),
    [],
  );
});

test('lists its parts with their time and their last pass', () => {
  const listed = execFileSync(process.execPath, [here('campaign.ts'), '--list'], {
    encoding: 'utf8',
  });
  for (const name of Object.keys(PARTS))
    assert.match(listed, new RegExp(`^${name} +(?:about )?\\d+ min +(?:passed at|no record)`, 'm'));
});

test('knows each part in its record', () => {
  const record = JSON.parse(readFileSync(here('campaign-record.json'), 'utf8')) as object;
  assert.deepEqual(
    Object.keys(record).filter((name) => !(name in PARTS)),
    [],
  );
});
