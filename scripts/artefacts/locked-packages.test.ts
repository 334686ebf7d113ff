import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NATIVE } from './bundle.ts';
import { lockedPackages, pinned } from './locked-packages.ts';

test('every package that an installation of netd needs has one exact version', () => {
  const locked = lockedPackages(NATIVE);
  const { dependencies, optionalDependencies } = pinned(locked);
  const all = { ...dependencies, ...optionalDependencies };
  assert.ok(Object.keys(all).length > 15);
  for (const [name, version] of Object.entries(all)) {
    assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
    const { dependencies: needs = {} } = locked[name] ?? {};
    for (const needed of Object.keys(needs)) assert.ok(all[needed], `${name} needs ${needed}`);
  }
  assert.ok(dependencies['lmdb']);
  assert.ok(optionalDependencies['@lmdb/lmdb-linux-x64']);
});
