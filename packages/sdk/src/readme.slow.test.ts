/** The examples of the README, in their order, against a node of their own: they print what it says they print. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { serve } from '@netd/node';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const ADDRESS = 'http://127.0.0.1:8420';

const blocks = (language: string): string =>
  [...README.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))]
    .map(([, text]) => text)
    .join('');

test('the examples run, and print what stands below them', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'netd-sdk-readme-'));
  const running = await serve({ host: '127.0.0.1', port: 0, dataDir: directory, blockTime: 1 });
  try {
    const examples = blocks('js');
    assert.ok(examples.includes(ADDRESS));
    const sdk = new URL('index.ts', import.meta.url).href;
    const file = join(directory, 'examples.mjs');
    writeFileSync(file, examples.replaceAll(ADDRESS, running.url).replaceAll('@netd/sdk', sdk));
    const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 60_000 });
    assert.equal(stdout, blocks('text'));
  } finally {
    await running.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
