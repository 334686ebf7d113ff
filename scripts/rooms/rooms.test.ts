/** Each rule about who may import what is broken once, and the imports that are there keep all of them. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { allImports, importsOf, type Import } from './imports.ts';
import { PACKAGES, roomFaults } from './rooms.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const faultOf = (file: string, target: string): string[] => roomFaults([{ file, target }]);

const BROKEN: readonly [rule: string, file: string, target: string, says: RegExp][] = [
  [
    'imports point down',
    'packages/engine/src/store/store.ts',
    '@netd/server',
    /engine may import ledger, protocol/,
  ],
  [
    'documents see the reading side of the engine',
    'packages/documents/src/registry.ts',
    '@netd/engine',
    /@netd\/engine\/reads only/,
  ],
  [
    'the SDK sees the client of blobs only',
    'packages/sdk/src/client.ts',
    '@netd/blobs',
    /@netd\/blobs\/client only/,
  ],
  [
    'product code never imports the testkit',
    'packages/node/src/serve.ts',
    '@netd/testkit/http-node',
    /node may import/,
  ],
  [
    'nor what is there for tests',
    'packages/server/src/downloads.ts',
    '@netd/ledger/testing',
    /that door is for tests/,
  ],
  [
    'a package is entered by its door',
    'packages/server/src/downloads.ts',
    'packages/engine/src/chain/chain.ts',
    /by its name/,
  ],
  [
    'tests enter by the door too',
    'packages/server/src/downloads.http.test.ts',
    'packages/engine/src/chain/chain.ts',
    /by its name/,
  ],
  [
    'and no package by its own',
    'packages/engine/src/chain/chain.ts',
    '@netd/engine',
    /by their path/,
  ],
  [
    'folders of the engine stand in order',
    'packages/engine/src/store/store.ts',
    'packages/engine/src/chain/chain.ts',
    /store stands below chain/,
  ],
  [
    'floors of the explorer stand in order',
    'packages/explorer/src/chain/live.ts',
    'packages/explorer/src/marks/names.tsx',
    /chain may import words/,
  ],
  [
    'atoms of the explorer know no data',
    'packages/explorer/src/ui/parts.tsx',
    'packages/explorer/src/chain/client.ts',
    /ui may import words/,
  ],
  [
    'nor how data is read',
    'packages/explorer/src/ui/parts.tsx',
    '@tanstack/react-query',
    /ui does not import that package/,
  ],
  [
    'words of the explorer are pure',
    'packages/explorer/src/words/time.ts',
    'react',
    /words does not import that package/,
  ],
  [
    'pages of the explorer do not import each other',
    'packages/explorer/src/pages/network.tsx',
    'packages/explorer/src/pages/verify/compare.tsx',
    /pages do not import each other/,
  ],
  [
    'nor do their folders',
    'packages/explorer/src/pages/developers/errors.tsx',
    'packages/explorer/src/pages/wallet/fields.tsx',
    /pages do not import each other/,
  ],
  [
    'a new folder of the explorer has a floor',
    'packages/explorer/src/data/client.ts',
    'packages/explorer/src/words/ids.ts',
    /does not know the explorer.s floor data/,
  ],
  [
    'a new package says what it may import',
    'packages/attic/src/index.ts',
    '@netd/protocol',
    /does not know the package attic/,
  ],
];

for (const [rule, file, target, says] of BROKEN) {
  test(`${rule}: what breaks it is said`, () => {
    const faults = faultOf(file, target);
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.match(faults[0] ?? '', says);
    assert.ok(faults[0]?.startsWith(`${file} imports ${target}`) || faults[0]?.startsWith(file));
  });
}

test('folders that import each other are a circle, also by way of a third', () => {
  const at = (from: string, to: string): Import => ({
    file: `packages/ledger/src/${from}/a.ts`,
    target: `packages/ledger/src/${to}/b.ts`,
  });
  assert.deepEqual(roomFaults([at('one', 'two'), at('two', 'three')]), []);
  const [pair, ...none] = roomFaults([at('one', 'two'), at('two', 'one')]);
  assert.match(
    pair ?? '',
    /one → packages\/ledger\/src\/two → packages\/ledger\/src\/one is a circle/,
  );
  assert.deepEqual(none, []);
  assert.equal(roomFaults([at('one', 'two'), at('two', 'three'), at('three', 'one')]).length, 1);
  // A folder and one inside it are one thing, and so is a circle that leaves by the one and comes back by the other.
  assert.deepEqual(roomFaults([at('one', 'one/inner'), at('one/inner', 'one')]), []);
  const through = [at('app', 'pages'), at('pages', 'pages/inner'), at('pages/inner', 'app')];
  assert.equal(roomFaults(through).length, 1);
  assert.deepEqual(roomFaults(through.slice(0, 2)), []);
});

test('a page of the explorer and the folder of its name are one thing', () => {
  const at = (file: string, target: string): Import => ({
    file: `packages/explorer/src/${file}`,
    target: `packages/explorer/src/${target}`,
  });
  const kept = [
    at('pages/verify.tsx', 'pages/verify/own-files.tsx'),
    at('pages/verify/own-files.tsx', 'marks/file-hashes.tsx'),
    at('pages/governance.tsx', 'styles/governance.css'),
  ];
  assert.deepEqual(roomFaults(kept), []);
});

test('imports of types, exports from elsewhere and dynamic imports are all seen', () => {
  const text = `
    import type { A } from './a.ts';
    import { type B } from '../b.ts';
    export { C } from '@netd/engine';
    export * from './d.ts';
    const e = await import('./e.ts');
    type F = import('./f.ts').F;`;
  const targets = importsOf('packages/node/src/x/y.ts', text).map(({ target }) => target);
  assert.deepEqual(targets.sort(), [
    '@netd/engine',
    'packages/node/src/b.ts',
    'packages/node/src/x/a.ts',
    'packages/node/src/x/d.ts',
    'packages/node/src/x/e.ts',
    'packages/node/src/x/f.ts',
  ]);
});

test('the imports that are there keep every rule', () => {
  const imports = allImports(ROOT);
  assert.ok(imports.length > 3_000, `${imports.length} imports`);
  assert.deepEqual(roomFaults(imports), []);
});

test('every package is in the table, which only points down', () => {
  const names = globSync('packages/*/package.json', { cwd: ROOT }).map(
    (path) => path.split('/')[1],
  );
  for (const name of names) assert.ok(Object.hasOwn(PACKAGES, name ?? ''), name);
  const order = Object.keys(PACKAGES);
  for (const [name, allowed] of Object.entries(PACKAGES)) {
    for (const below of allowed)
      assert.ok(order.indexOf(below) > order.indexOf(name), `${name} → ${below}`);
  }
});

test('CONTRIBUTING and the architecture name every package', () => {
  for (const document of ['CONTRIBUTING.md', 'docs/architecture.md']) {
    assert.ok(existsSync(ROOT + document), document);
    const text = readFileSync(ROOT + document, 'utf8');
    for (const name of Object.keys(PACKAGES))
      assert.ok(text.includes(`\`packages/${name}\``), `${document}: ${name}`);
  }
});
