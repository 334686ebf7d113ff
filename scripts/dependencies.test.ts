/** `npm ci` and pip install the same packages from any configured registry, and no tool twice. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, { version?: string; resolved?: string; link?: boolean }>;
};

test('the lock file names packages, not addresses to download them from', () => {
  const addressed = Object.entries(packages)
    .filter(([, { version = '', resolved, link }]) => {
      return version.includes(':') || (resolved !== undefined && link !== true);
    })
    .map(([path]) => path);
  assert.deepEqual(addressed, []);
});

test('requirements of Python name packages, not addresses to download them from', () => {
  const exclude = ['**/node_modules'];
  const files = globSync('{scripts,clients,packages}/**/*requirements*.txt', {
    cwd: ROOT,
    exclude,
  });
  assert.ok(files.length >= 3);
  for (const file of files)
    assert.doesNotMatch(read(file), /^[^#\n]*(:\/\/|--(extra-)?index-url)/m, file);
});

test('one bundler is installed, once', () => {
  const bundlers = Object.keys(packages).filter((path) =>
    /node_modules\/(rolldown|rollup|esbuild|webpack|parcel|@swc\/core)$/.test(path),
  );
  assert.deepEqual(bundlers, ['node_modules/rolldown']);
});
