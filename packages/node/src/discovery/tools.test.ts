/** Every tool of the table: how it is described, and that it answers what HTTP answers. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { HttpNode } from '../testing/http-node.ts';
import { populate, TOOL_CASES } from '../testing/tool-cases.ts';
import { TOOLS } from './tools.ts';

let node: HttpNode;
let described: JsonObject[];
before(async () => {
  node = await HttpNode.start({ discoveryPerMinute: 100_000 });
  await populate(node);
  described = (await rpc('tools/list', {}))['tools'] as JsonObject[];
});
after(() => node.stop());

async function rpc(method: string, params: JsonObject): Promise<JsonObject> {
  const answer = await node.post('/mcp', { jsonrpc: '2.0', id: 1, method, params });
  assert.equal(answer.status, 200, answer.text);
  return answer.body['result'] as JsonObject;
}

async function call(name: string, given: JsonObject = {}): Promise<JsonObject> {
  return rpc('tools/call', { name, arguments: given });
}

const textOf = ({ content }: JsonObject): string =>
  ((content as JsonObject[])[0] as JsonObject)['text'] as string;

test('the tools are those of the table, in its order, under names of their own', () => {
  const names = TOOLS.map(({ name }) => name);
  assert.deepEqual(
    described.map(({ name }) => name),
    names,
  );
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^net_[a-z]+(_[a-z]+)*$/);
});

describe('every tool', () => {
  for (const { name, title, description } of TOOLS) {
    const definition = (): JsonObject => described.find((tool) => tool['name'] === name) ?? {};
    test(`${name} is described`, () => {
      const tool = definition();
      assert.equal(tool['title'], title);
      assert.equal(tool['description'], description);
      assert.deepEqual(tool['annotations'], {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      for (const member of ['inputSchema', 'outputSchema']) {
        const schema = tool[member] as JsonObject;
        assert.equal(schema['type'], 'object', member);
        assert.ok(new Ajv2020({ strict: false }).validateSchema(schema));
      }
    });
    test(`${name} answers the document of its path, as structured content and as text`, async () => {
      const validate = new Ajv2020({ strict: false }).compile(
        definition()['outputSchema'] as object,
      );
      for (const [given, path] of TOOL_CASES[name]) {
        const result = await call(name, given);
        assert.equal(result['isError'], undefined, textOf(result));
        const { structuredContent } = result;
        assert.ok(validate(structuredContent), JSON.stringify(validate.errors));
        assert.deepEqual(JSON.parse(textOf(result)), structuredContent);
        assert.deepEqual(structuredContent, await node.document(path));
      }
    });
    test(`${name} refuses arguments that are not its own`, async () => {
      const result = await call(name, { surprise: true });
      assert.equal(result['isError'], true);
      const problem = JSON.parse(textOf(result)) as JsonObject;
      assert.equal(problem['code'], 'PARAMETER_INVALID');
      const paths = (problem['errors'] as JsonObject[]).map(({ path }) => path as string);
      assert.ok(paths.includes('/surprise'), paths.join(' '));
      assert.equal(result['structuredContent'], undefined);
    });
  }
});

test('arguments are judged at, under and over their limits', async () => {
  const codeOf = async (name: string, given: JsonObject): Promise<unknown> => {
    const result = await call(name, given);
    return result['isError'] === true
      ? (JSON.parse(textOf(result)) as JsonObject)['code']
      : undefined;
  };
  assert.equal(await codeOf('net_list_tokens', { limit: 0 }), 'PARAMETER_INVALID');
  assert.equal(await codeOf('net_list_tokens', { limit: 1 }), undefined);
  assert.equal(await codeOf('net_list_tokens', { limit: 1_000 }), undefined);
  assert.equal(await codeOf('net_list_tokens', { limit: 1_001 }), 'PARAMETER_INVALID');
  assert.equal(await codeOf('net_list_tokens', { limit: '1' }), 'PARAMETER_INVALID');
  assert.equal(await codeOf('net_list_tokens', { cursor: 'bogus' }), 'CURSOR_INVALID');
  assert.equal(await codeOf('net_token_detail', {}), 'PARAMETER_INVALID');
  assert.equal(await codeOf('net_token_detail', { tokenId: 'Tok' }), 'PARAMETER_INVALID');
  assert.equal(await codeOf('net_token_detail', { tokenId: 'tok-none' }), 'TOKEN_NOT_FOUND');
});

test('a page leads to the next', async () => {
  const first = (await call('net_list_tokens', { limit: 1 }))['structuredContent'] as JsonObject;
  const cursor = first['nextCursor'] as string;
  const second = await call('net_list_tokens', { limit: 1, cursor });
  const ids = [first, second['structuredContent'] as JsonObject].map(
    ({ tokens }) => (tokens as JsonObject[])[0]?.['tokenId'],
  );
  assert.deepEqual(ids, ['tok-silver', 'tok-gold']);
});

test('a tool and its path share what is kept of a height, and forget it with the next', async () => {
  const earlier = await call('net_list_tokens');
  assert.equal(textOf(earlier), (await node.get('/v1/tokens')).text);
  await node.join('carol');
  const later = (await call('net_list_tokens'))['structuredContent'] as JsonObject;
  assert.equal(later['height'], node.height);
  assert.notEqual(later['height'], (earlier['structuredContent'] as JsonObject)['height']);
});

test('nothing that a tool does is written', async () => {
  const state = node.state();
  for (const { name } of TOOLS) {
    for (const [given] of TOOL_CASES[name]) await call(name, given);
  }
  assert.deepEqual(node.state(), state);
});
