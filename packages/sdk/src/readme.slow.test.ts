/** The examples of the README, in their order, against a node of their own: they print what it says they print. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { serve } from '@netd/node';
import { VERSION } from '@netd/node/version';
import * as sdk from './core.ts';

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
    const module = new URL('index.ts', import.meta.url).href;
    const file = join(directory, 'examples.mjs');
    const program = examples
      .replaceAll(ADDRESS, running.url)
      .replaceAll(`from 'net-sdk'`, `from '${module}'`);
    writeFileSync(file, program);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 60_000 });
    assert.equal(stdout, blocks('text'));
  } finally {
    await running.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});

test('everything of the core that can be called has an example', () => {
  const examples = blocks('js') + blocks('html');
  const classes = [sdk.AgentKey, sdk.BrowserKeyStore, sdk.NetClient, sdk.VerifiedReader];
  const names = [...Object.keys(sdk), ...classes.flatMap(publicMethodsOf)];
  assert.ok(names.includes('act') && names.includes('fromPem') && !names.includes('sendFresh'));
  assert.deepEqual(
    names.filter((name) => !new RegExp(`\\b${name}\\b`).test(examples)),
    [],
  );
});

test('the package is named as it is served', () => {
  assert.ok(README.includes(`/downloads/net-sdk-${VERSION}.tgz`));
});

/** Methods, static ones too, that the source does not call private. */
function publicMethodsOf(type: { prototype: object; name: string }): string[] {
  const file = type.name
    .replaceAll(/(?<!^)[A-Z]/g, '-$&')
    .toLowerCase()
    .replace('net-', '');
  const source = readFileSync(new URL(`${file}.ts`, import.meta.url), 'utf8');
  const isPublic = (name: string): boolean =>
    new RegExp(`^ {2}(?:static )?(?:async )?\\*?${name}[<(]`, 'm').test(source);
  return [
    ...Object.getOwnPropertyNames(type.prototype),
    ...Object.getOwnPropertyNames(type),
  ].filter((name) => name !== 'constructor' && isPublic(name));
}
