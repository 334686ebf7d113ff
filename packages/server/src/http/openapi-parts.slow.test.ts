/** Each part of /openapi.json is complete, and together they contain the whole. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { canonicalize, type JsonObject, type JsonValue } from '@netd/protocol';
import { assertProblem, HttpNode, type Answer, type Description } from '@netd/testkit/http-node';
import { OPENAPI_TAGS } from './openapi-tags.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TAGS = OPENAPI_TAGS.map(({ name }) => name);

let node: HttpNode;
let whole: Description;
const parts = new Map<string, Answer>();

before(async () => {
  node = await HttpNode.start();
  whole = await node.description();
  for (const tag of TAGS) parts.set(tag, await node.get(`/openapi.json?tag=${tag}`));
});
after(() => node.stop());

const bodyOf = ({ body }: Answer): Description => body as unknown as Description;

/** Returns every operation by `METHOD path`. */
function operationsOf({ paths }: Description): [string, JsonValue][] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, JsonValue] => [
      `${method} ${path}`,
      operation as unknown as JsonObject,
    ]),
  );
}

const componentsOf = ({ components }: Description): Map<string, string> =>
  new Map(
    Object.entries(components).flatMap(([kind, all]) =>
      Object.entries(all as JsonObject).map(([name, component]): [string, string] => [
        `#/components/${kind}/${name}`,
        canonicalize(component),
      ]),
    ),
  );

test('each is small, canonical, and says that it is a part of /openapi.json', () => {
  for (const [tag, { status, bytes, text, body }] of parts) {
    assert.equal(status, 200, text);
    assert.ok(bytes.length < 100_000, `${tag}: ${bytes.length}`);
    assert.equal(text, canonicalize(body));
    const { info, tags, openapi } = body as unknown as {
      info: { description: string };
      tags: { name: string }[];
      openapi: string;
    };
    assert.equal(openapi, '3.1.0');
    assert.match(info.description, new RegExp(`^A part: .* tag ${tag} .* /openapi.json`));
    assert.deepEqual(
      tags.map(({ name }) => name),
      [tag],
    );
  }
});

test('each carries exactly what its operations reach, as the whole has it', () => {
  const known = componentsOf(whole);
  for (const [tag, answer] of parts) {
    const own = componentsOf(bodyOf(answer));
    const used = [...answer.text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, pointer = '']) => pointer);
    assert.deepEqual([...own.keys()].toSorted(), [...new Set(used)].toSorted(), tag);
    for (const [pointer, text] of own) assert.equal(text, known.get(pointer), pointer);
  }
});

test('together they have every operation, once and unchanged', () => {
  const all = [...parts.values()].flatMap((answer) => operationsOf(bodyOf(answer)));
  assert.equal(all.length, operationsOf(whole).length);
  assert.deepEqual(Object.fromEntries(all), Object.fromEntries(operationsOf(whole)));
  const carried = new Set(
    [...parts.values()].flatMap((it) => [...componentsOf(bodyOf(it)).keys()]),
  );
  assert.deepEqual([...carried].toSorted(), [...componentsOf(whole).keys()].toSorted());
});

test('each is valid for the checker of the whole', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'netd-parts-'));
  try {
    const files = [...parts].map(([tag, { text }]) => {
      const file = join(directory, `${tag}.json`);
      writeFileSync(file, text);
      return file;
    });
    const redocly = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
    // Fails on every finding, even an unused component.
    const args = [redocly, 'lint', '--config', 'redocly.yaml', '--format=stylish', ...files];
    const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('without a tag it is the whole, byte for byte, and a part is not sent twice', async () => {
  const { text } = await node.get('/openapi.json?else=work');
  assert.equal(text, canonicalize(whole as unknown as JsonObject));
  const etag = String(parts.get('work')?.headers.etag);
  const again = await node.get('/openapi.json?tag=work', { 'if-none-match': etag });
  assert.equal(again.status, 304);
});

test('a tag that there is not is refused with those that there are', async () => {
  for (const query of ['tag=werk', 'tag=', 'tag=Work', 'tag=work,agents', 'tag=work&tag=agents']) {
    const answer = await node.get(`/openapi.json?${query}`);
    const { errors } = assertProblem(answer, 400, 'PARAMETER_INVALID');
    const message = errors?.find(({ path }) => path === '/query/tag')?.message ?? '';
    for (const tag of TAGS)
      assert.ok(message.includes(JSON.stringify(tag)), `${query}: ${message}`);
  }
});
