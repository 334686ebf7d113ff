import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sha256Hex, type JsonObject } from '@netd/protocol';
import { VERSION } from '@netd/protocol/version';
import { HttpNode } from '@netd/testkit/http-node';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { strFromU8, unzipSync } from 'fflate';
import { downloadFile, downloadFiles, DOWNLOADS } from './downloads.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

test('an unbuilt file is no download, and no other file replaces it', () => {
  const [known] = DOWNLOADS;
  assert.ok(known);
  const missing = {
    ...known,
    name: 'net-nothing.mjs',
    source: 'packages/sdk/dist/net-nothing.mjs',
  };
  assert.equal(downloadFile(missing, 'http://127.0.0.1:1'), null);
  assert.ok(downloadFiles('http://127.0.0.1:1').some(({ name }) => name === known.name));
  // A folder with the file's name is an error, not a missing file.
  assert.throws(
    () => downloadFile({ ...missing, source: 'packages/sdk/src' }, 'http://127.0.0.1:1'),
    { code: 'EISDIR' },
  );
});

test('names are file names, each once, and those with a version have the present one', () => {
  const names = DOWNLOADS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  assert.equal(new Set(DOWNLOADS.map(({ operationId }) => operationId)).size, names.length);
  for (const name of names) {
    assert.match(name, /^[a-z0-9][a-z0-9._-]+$/);
    const [version = VERSION] = /\d+\.\d+\.\d+/.exec(name) ?? [];
    assert.equal(version, VERSION);
  }
});

/** The test that uses each download as users do, and words that the test must contain. */
const USED_IN: Record<string, readonly [test: string, words: string]> = {
  downloadJoinClient: ['packages/server/src/http/join-client.slow.test.ts', "'net-join.mjs'"],
  downloadOpportunityWatcher: [
    'clients/join/net-opportunity-watch.slow.test.mjs',
    "'net-opportunity-watch.mjs'",
  ],
  downloadSdkPackage: ['packages/sdk/src/published.slow.test.ts', "'npm', ['install'"],
  downloadSdkModule: ['packages/sdk/src/published.slow.test.ts', "download('net-sdk.mjs', folder)"],
  downloadSdkBrowserModule: ['packages/sdk/src/browser.slow.test.ts', '/net-sdk.browser.mjs'],
  downloadSdkModuleMap: ['packages/sdk/src/published.slow.test.ts', 'new SourceMap('],
  downloadSdkBrowserModuleMap: ['packages/sdk/src/published.slow.test.ts', 'new SourceMap('],
  downloadSdkTypes: [
    'packages/sdk/src/published.slow.test.ts',
    "download('net-sdk.d.mts', folder)",
  ],
  downloadPythonSdk: ['clients/python/tests/test_wheel.py', '"pip", "install"'],
  downloadLabRequirements: ['clients/python/tests/test_lab.py', '/downloads/netsdk-lab.txt'],
  downloadAgentSkill: ['packages/cli/src/agent-skill.slow.test.ts', 'agent-skills/index.json'],
  downloadMcpBundle: ['packages/cli/src/mcp-bundle.slow.test.ts', "endsWith('.mcpb')"],
  downloadMcpRegistryEntry: ['packages/cli/src/mcp-bundle.slow.test.ts', '/downloads/server.json'],
  downloadOperatorHandoff: ['packages/server/src/downloads.http.test.ts', "'net-operator-handoff'"],
  downloadLaunchKit: ['packages/server/src/downloads.http.test.ts', "'net-launch-kit'"],
  downloadFollowerPackage: ['packages/cli/src/installed-follower.slow.test.ts', 'installGlobally('],
  downloadNetdPackage: ['packages/cli/src/installed.slow.test.ts', 'installGlobally('],
  downloadRelease: [
    'scripts/artefacts/reproducible.slow.test.ts',
    '`net-release-${VERSION}.tar.gz`',
  ],
};

test('each is used by a test', () => {
  const ids = DOWNLOADS.map(({ operationId }) => operationId);
  assert.deepEqual(Object.keys(USED_IN).toSorted(), ids.toSorted());
  for (const [id, [file, words]] of Object.entries(USED_IN)) {
    assert.match(file, /\.test\.m?[jt]s$|\/test_\w+\.py$/);
    assert.ok(
      readFileSync(join(ROOT, file), 'utf8').includes(words),
      `${id}: ${file} has no ${words}`,
    );
  }
});

describe('from a node, into an empty folder', () => {
  interface Listed {
    path: string;
    byteLength: number;
    sha256: string;
  }
  let node: HttpNode;
  let folder: string;
  before(async () => {
    node = await HttpNode.start();
    folder = mkdtempSync(join(tmpdir(), 'netd-downloads-'));
    const { clients, missing } = await node.document('/v1/manifest');
    assert.deepEqual(missing, [], 'npm run build');
    const listed = clients as unknown as Listed[];
    assert.deepEqual(
      listed.map(({ path }) => path),
      DOWNLOADS.map(({ name }) => `/downloads/${name}`),
    );
    for (const { path, byteLength, sha256 } of listed) {
      const { bytes } = await node.get(path);
      assert.deepEqual([bytes.length, sha256Hex(bytes)], [byteLength, sha256], path);
      writeFileSync(join(folder, posix.basename(path)), bytes);
    }
  });
  after(async () => {
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Returns an archive's files as texts. */
  const unpacked = (name: string): Map<string, string> => {
    const archive = unzipSync(readFileSync(join(folder, `${name}-${VERSION}.zip`)));
    return new Map(Object.entries(archive).map(([path, bytes]) => [path, strFromU8(bytes)]));
  };

  test('come all, and a stable name leads to each that has one', async () => {
    assert.equal(readdirSync(folder).length, DOWNLOADS.length);
    assert.match(String((await node.get('/downloads')).headers.location), /\/v1\/manifest$/);
    for (const { name, stableName } of DOWNLOADS) {
      if (stableName === undefined) continue;
      const { status, headers } = await node.get(`/downloads/${stableName}`);
      assert.deepEqual([status, headers.location], [302, name], stableName);
    }
  });

  test('the index of Python packages names the wheel and its hash, to pip and to uv', async () => {
    const name = `netsdk-${VERSION}-py3-none-any.whl`;
    const sha256 = sha256Hex(readFileSync(join(folder, name)));
    const page = await node.get('/simple/netsdk/', { accept: 'text/html' });
    assert.match(String(page.headers['content-type']), /^text\/html/);
    const link = `<a href="/downloads/${name}#sha256=${sha256}" data-requires-python="&gt;=3.10">`;
    assert.ok(page.text.includes(link), page.text);
    const type = 'application/vnd.pypi.simple.v1+json';
    const json = await node.get('/simple/netsdk/', { accept: `${type}, text/html;q=0.1` });
    assert.equal(json.headers['content-type'], type);
    const { files } = JSON.parse(json.text) as { files: Record<string, unknown>[] };
    assert.deepEqual(files, [
      {
        filename: name,
        url: `/downloads/${name}`,
        hashes: { sha256 },
        'requires-python': '>=3.10',
      },
    ]);
    const project = readFileSync(join(ROOT, 'clients/python/pyproject.toml'), 'utf8');
    assert.ok(project.includes('requires-python = ">=3.10"'));
    const all = await node.get('/simple/', { accept: 'text/html' });
    assert.match(all.text, /<a href="\/simple\/netsdk\/">netsdk<\/a>/);
  });

  test('the line for pip has the hash, in a guide as page and as text', async () => {
    const sha256 = sha256Hex(readFileSync(join(folder, `netsdk-${VERSION}-py3-none-any.whl`)));
    const line = `netsdk @ ${node.url}/downloads/netsdk-${VERSION}-py3-none-any.whl#sha256=${sha256}`;
    for (const path of ['/docs/guides/get-paid.md', '/docs/guides/get-paid', '/llms-full.txt']) {
      const { text } = await node.get(path);
      assert.ok(text.includes(line), path);
    }
  });

  for (const name of ['net-operator-handoff', 'net-launch-kit', 'net-agent-skill']) {
    test(`${name} has what its texts lead to, and no blank that was left to fill in`, () => {
      const files = unpacked(name);
      let links = 0;
      for (const [path, text] of files) {
        assert.doesNotMatch(text, /@[A-Z]{3,}@/, path);
        if (!path.endsWith('.md')) continue;
        for (const [, link = ''] of text.matchAll(/\]\(([^)#:]+)\)/g)) {
          const target = posix.join(dirname(path), link);
          const isThere = [...files.keys()].some((it) => it === target || it.startsWith(target));
          assert.ok(isThere, `${path}: ${link}`);
          links += 1;
        }
      }
      assert.ok(links > 0);
    });
  }

  test('the launch kit brings what its image and its containers take, or a node hands it out', () => {
    const files = unpacked('net-launch-kit');
    const text = (path: string): string => files.get(path) ?? assert.fail(path);
    const mounts = [...text('deploy/compose.yml').matchAll(/- (\.\/\S+?):\//g)];
    assert.ok(mounts.length >= 5);
    for (const [, path = ''] of mounts) text(posix.join('deploy', path));
    const [, tarball = ''] = /^COPY (\S+)/m.exec(text('deploy/Dockerfile')) ?? [];
    assert.ok(readdirSync(folder).includes(tarball), tarball);
  });

  test('server.json conforms to the schema of the MCP registry', () => {
    const schema = new URL('discovery/testing/registry-entry.schema.json', import.meta.url);
    const validate = new Ajv2020({ strict: false }).compile(
      JSON.parse(readFileSync(schema, 'utf8')) as object,
    );
    const entry = JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8')) as JsonObject;
    assert.ok(validate(entry), JSON.stringify(validate.errors));
    assert.ok(!validate({ ...entry, name: 'net-agent' }));
  });
});
