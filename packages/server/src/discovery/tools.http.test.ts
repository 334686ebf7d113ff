/** Every tool: its description, its size in tokens, and that it agrees with HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { UNET_PER_NET, type JsonObject, type JsonValue } from '@netd/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { OPERATOR, workOrderOf } from '@netd/ledger/testing';
import type { HttpNode } from '@netd/testkit/http-node';
import { MORE_ORDERS, startPopulated } from '@netd/testkit/populated-node';
import { TOOL_CASES } from '@netd/testkit/tool-cases';
import { unmark } from '@netd/testkit/unmark';
import { hasRows, partsOf } from './selection.ts';
import { DATA_OF_OTHERS } from './tool-calls.ts';
import { TOOLS } from './tools.ts';

/** Bytes per token of the text that models read; o200k measured 3.9 to 4.3. */
const BYTES_A_TOKEN = 4;
const MAX_LIST_BYTES = 30_000;
const MAX_ANSWER_BYTES = 5_000;

let node: HttpNode;
let described: JsonObject[];
before(async () => {
  node = await startPopulated(100_000);
  described = (await rpc('tools/list', {}))['tools'] as JsonObject[];
});
after(() => node.stop());

async function send(method: string, params: JsonObject): Promise<JsonObject> {
  // Don't canonicalize, because some parameters have no canonical form.
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { status, text, body } = await node.post('/mcp', message);
  assert.equal(status, 200, text);
  return body;
}

async function rpc(method: string, params: JsonObject): Promise<JsonObject> {
  return (await send(method, params))['result'] as JsonObject;
}

async function call(name: string, given: JsonObject = {}): Promise<JsonObject> {
  return rpc('tools/call', { name, arguments: given });
}

/** Returns the JSON, which may follow a notice. */
const textOf = ({ content }: JsonObject): string =>
  (content as JsonObject[]).at(-1)?.['text'] as string;

/** Returns the structured content of a successful call, after comparing it with its marked text. */
async function answer(name: string, given: JsonObject = {}): Promise<JsonObject> {
  const result = await call(name, given);
  assert.equal(result['isError'], undefined, textOf(result));
  const structured = result['structuredContent'] as JsonObject;
  assert.deepEqual(unmark(JSON.parse(textOf(result)) as JsonObject), structured);
  return structured;
}

async function refusal(name: string, given: JsonObject): Promise<JsonObject> {
  const result = await call(name, given);
  assert.equal(result['isError'], true, textOf(result));
  assert.equal(result['structuredContent'], undefined);
  return unmark(JSON.parse(textOf(result)) as JsonObject) as JsonObject;
}

/** Makes every call that an answer offers. */
async function follow(offer: JsonValue | undefined): Promise<void> {
  for (const { tool, arguments: given } of offer as JsonObject[]) {
    await answer(tool as string, given as JsonObject);
  }
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * Asserts that a value agrees with the document: equal, a part of it, or an amount or time in another form.
 * Adds the number of omitted rows to `omitted`.
 */
function assertTaken(
  taken: JsonValue,
  whole: JsonValue | undefined,
  omitted: JsonObject,
  path: string,
): void {
  if (Array.isArray(taken)) {
    assert.ok(Array.isArray(whole), path);
    if (taken.length < whole.length) omitted[path.slice(1)] = whole.length - taken.length;
    for (const [index, row] of taken.entries()) assertTaken(row, whole[index], omitted, path);
  } else if (isObject(taken) && typeof whole === 'number') {
    assert.deepEqual(Object.keys(taken), ['net', 'unet'], path);
    assert.equal(taken['unet'], whole, path);
    assert.equal(Math.round(Number(taken['net']) * UNET_PER_NET), whole, path);
  } else if (isObject(taken)) {
    assert.ok(isObject(whole), path);
    for (const [name, value] of Object.entries(taken)) {
      assertTaken(value, whole[name], omitted, `${path}.${name}`);
    }
  } else if (path.endsWith('.time') && typeof whole === 'number') {
    assert.equal(Date.parse(taken as string), whole, path);
  } else {
    assert.deepEqual(taken, whole, path);
  }
}

test('the tools are those of the table, in its order, under names of their own', () => {
  const names = TOOLS.map(({ name }) => name);
  assert.deepEqual(
    described.map(({ name }) => name),
    [...names, 'net_prepare_intent'],
  );
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^net_[a-z]+(_[a-z]+)*$/);
});

test('every tool of the protocol is there', () => {
  const names = new Set(TOOLS.map(({ name }) => name.replace('net_', '')));
  const promised =
    'network_status mainnet_readiness join_instructions agent_startup_brief agent_trust_report agent_seeding agent_lineage agent_operations agent_decision_dossier match_agent_work agent_opportunities agent_growth_control list_agent_capabilities work_audit work_brief list_open_work list_replicas contribution_pipeline list_tokens token_detail account';
  assert.deepEqual(
    promised.split(' ').filter((name) => !names.has(name)),
    [],
  );
});

test('the list of tools has less than 30 KB', (t) => {
  const bytes = Buffer.byteLength(JSON.stringify({ tools: described }));
  t.diagnostic(`tools/list: ${bytes} bytes, about ${Math.round(bytes / BYTES_A_TOKEN)} tokens`);
  assert.ok(bytes < MAX_LIST_BYTES, String(bytes));
});

describe('every tool', () => {
  const names = new Set<string>(TOOLS.map((tool) => tool.name));
  for (const { name, title, description, document, selection } of TOOLS) {
    const definition = (): JsonObject => described.find((tool) => tool['name'] === name) ?? {};
    test(`${name} is described: what it answers, when to call it, which tool comes next`, () => {
      const tool = definition();
      assert.equal(tool['title'], title);
      assert.equal(tool['description'], `${description} ${DATA_OF_OTHERS}`);
      assert.ok(description.length <= 300, String(description.length));
      assert.ok(description.split(/[.](?: |$)/).filter(Boolean).length <= 3, description);
      const others = [...description.matchAll(/net_[a-z_]+/g)].map(([other]) => other);
      assert.ok(others.length > 0 && !others.includes(name), description);
      for (const other of others) assert.ok(names.has(other), other);
      assert.doesNotMatch(JSON.stringify(tool), /\/v1\/|GET |POST /);
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
    test(`${name} has no member of its own in the document`, () => {
      for (const own of ['next', 'source', 'omitted']) {
        assert.ok(!Object.hasOwn(document.schema.properties, own), own);
      }
    });
    test(`${name} answers data first, and nothing that the document of its path does not say`, async () => {
      const validate = new Ajv2020({ strict: false }).compile(
        definition()['outputSchema'] as object,
      );
      for (const [given, path] of TOOL_CASES[name]) {
        const taken = await answer(name, given);
        const whole = await node.document(path);
        assert.ok(validate(taken), JSON.stringify(validate.errors));
        const { next, source, omitted, ...data } = taken;
        assert.deepEqual(Object.keys(taken).slice(0, Object.keys(data).length), Object.keys(data));
        const left: JsonObject = {};
        assertTaken(data, whole, left, '');
        assert.deepEqual(omitted ?? {}, left);
        assertSource(source as JsonObject, whole, path);
        await follow(next);
      }
    });
    test(`${name} answers the whole document when asked for it`, async () => {
      const validate = new Ajv2020({ strict: false }).compile(
        definition()['outputSchema'] as object,
      );
      const [[given, path] = [{}, '']] = TOOL_CASES[name];
      const { next: _, source, ...whole } = await answer(name, { ...given, full: true });
      assert.ok(validate(whole), JSON.stringify(validate.errors));
      assert.deepEqual(whole, await node.document(path));
      assertSource(source as JsonObject, whole, path);
      const [first] = partsOf(selection);
      assert.equal(Object.keys(whole)[0], first?.[0]);
    });
    test(`${name} refuses arguments that are not its own`, async () => {
      const { code, message, arguments: faults } = await refusal(name, { surprise: true });
      assert.equal(code, 'PARAMETER_INVALID');
      assert.match(message as string, new RegExp(`call ${name} again\\. It takes .*full\\.`));
      assert.ok((faults as JsonObject[]).some((fault) => fault['name'] === 'surprise'));
    });
  }
});

function assertSource(source: JsonObject, whole: JsonObject, path: string): void {
  const { schema, chainId, height } = whole;
  const { path: named, ...others } = source;
  assert.deepEqual(others, { schema, chainId, height });
  assert.equal(sorted(named as string), sorted(path));
}

/** Returns the path with a sorted query. */
function sorted(path: string): string {
  const url = new URL(path, 'http://localhost');
  url.searchParams.sort();
  return url.pathname + url.search;
}

describe('lists', () => {
  const idsOf = ({ opportunities }: JsonObject): unknown[] =>
    (opportunities as JsonObject[]).map(({ orderId }) => orderId);

  test('have 10 rows unless told, 50 at most', async () => {
    assert.equal(idsOf(await answer('net_agent_opportunities')).length, 10);
    for (const limit of [1, 50]) {
      assert.equal(idsOf(await answer('net_agent_opportunities', { limit })).length, limit);
    }
    for (const limit of [0, 51, 1.5, '10', null]) {
      const { arguments: faults } = await refusal('net_agent_opportunities', { limit });
      assert.equal((faults as JsonObject[])[0]?.['name'], 'limit', String(limit));
    }
  });
  test('are had whole by the calls they offer, with the same arguments', async () => {
    const seen: unknown[] = [];
    let given: JsonObject | null = { requirement: 'translate', limit: 25 };
    while (given) {
      const page: JsonObject = await answer('net_agent_opportunities', given);
      seen.push(...idsOf(page));
      const [onward] = page['next'] as JsonObject[];
      given =
        page['nextCursor'] === null || onward?.['tool'] !== 'net_agent_opportunities'
          ? null
          : (onward['arguments'] as JsonObject);
    }
    assert.equal(seen.length, MORE_ORDERS + 1);
    assert.equal(new Set(seen).size, seen.length);
  });
  test('inside of a document are cut, and how much is left out is said', async () => {
    const { timeline, omitted } = await answer('net_work_audit', { orderId: 'o-1', limit: 3 });
    assert.equal(((timeline as JsonObject)['events'] as unknown[]).length, 3);
    assert.deepEqual(omitted, { 'timeline.events': 6 });
    const whole = await answer('net_work_audit', { orderId: 'o-1', limit: 9 });
    assert.equal(whole['omitted'], undefined);
  });
  test('take a limit only if they return rows', () => {
    for (const { name, document, selection } of TOOLS) {
      const { inputSchema } = described.find((tool) => tool['name'] === name) as JsonObject;
      const { properties } = inputSchema as { properties: JsonObject };
      const isPaged = 'render' in document && Object.hasOwn(document.query.properties, 'limit');
      assert.equal(Object.hasOwn(properties, 'limit'), isPaged || hasRows(selection), name);
      assert.equal(Object.hasOwn(properties, 'cursor'), isPaged, name);
    }
  });
});

describe('amounts and times', () => {
  test('are exact in NET, and in ISO 8601', async () => {
    const { receipt, order } = await answer('net_work_audit', { orderId: 'o-1' });
    const { paid, shares } = (receipt as JsonObject)['receipt'] as JsonObject;
    assert.deepEqual(paid, { net: '10.000001', unet: 10_000_001 });
    const amounts = (shares as JsonObject[]).map(({ amount }) => amount);
    assert.deepEqual(amounts, [
      { net: '0.100001', unet: 100_001 },
      { net: '0.1', unet: 100_000 },
    ]);
    const { time } = (order as JsonObject)['disputableUntil'] as JsonObject;
    assert.match(time as string, /^2026-01-01T00:01:\d\d\.\d{3}Z$/);
  });
  test('of nothing and of many NET have no fraction', async () => {
    const { reserve } = await answer('net_agent_operations', { agentId: 'alice' });
    assert.deepEqual((reserve as JsonObject)['balance'], { net: '0', unet: 0 });
    const { agent } = await answer('net_agent_lineage', { agentId: 'vera' });
    const { bonded } = (agent as JsonObject)['reserve'] as JsonObject;
    const { net, unet } = bonded as { net: string; unet: number };
    assert.match(net, /^[1-9][0-9]*$/);
    assert.equal(Number(net) * UNET_PER_NET, unet);
  });
});

describe('refusals name an argument and a tool, never a path, and lead on', () => {
  const FILTERED = { capability: 'translate', limit: 1 };
  const cases: [
    name: string,
    given: JsonObject,
    code: string,
    fault: string,
    next: JsonObject | null,
  ][] = [
    ['net_work_brief', {}, 'PARAMETER_INVALID', 'orderId', { tool: 'net_list_open_work' }],
    ['net_work_brief', { orderId: 7 }, 'PARAMETER_INVALID', 'orderId', null],
    ['net_work_brief', { orderId: '-' }, 'PARAMETER_INVALID', 'orderId', null],
    ['net_work_brief', { orderId: 'o-9' }, 'WORK_ORDER_NOT_FOUND', 'orderId', null],
    ['net_work_audit', { orderId: 'O-1' }, 'WORK_ORDER_NOT_FOUND', 'orderId', null],
    ['net_token_detail', { tokenId: 'Tok' }, 'PARAMETER_INVALID', 'tokenId', null],
    [
      'net_token_detail',
      { tokenId: 'tok-none' },
      'TOKEN_NOT_FOUND',
      'tokenId',
      { tool: 'net_list_tokens' },
    ],
    [
      'net_agent_lineage',
      { agentId: 'nobody' },
      'AGENT_NOT_FOUND',
      'agentId',
      { tool: 'net_list_agent_capabilities' },
    ],
    ['net_agent_operations', { agentId: '__proto__' }, 'AGENT_NOT_FOUND', 'agentId', null],
    ['net_match_agent_work', { agentId: 'BOB' }, 'AGENT_NOT_FOUND', 'agentId', null],
    ['net_agent_decision_dossier', { agentId: 'vera ' }, 'PARAMETER_INVALID', 'agentId', null],
    [
      'net_list_agent_capabilities',
      { ...FILTERED, cursor: 'bogus' },
      'CURSOR_INVALID',
      'cursor',
      { tool: 'net_list_agent_capabilities', arguments: FILTERED },
    ],
    ['net_list_tokens', { cursor: '' }, 'CURSOR_INVALID', 'cursor', null],
    ['net_list_tokens', { cursor: 'x'.repeat(300) }, 'PARAMETER_INVALID', 'cursor', null],
    ['net_contribution_pipeline', { status: 'LATER' }, 'PARAMETER_INVALID', 'status', null],
    ['net_list_open_work', { status: 'PAID' }, 'PARAMETER_INVALID', 'status', null],
    ['net_list_open_work', { requirement: 'a\ud800' }, 'PARAMETER_INVALID', 'requirement', null],
    ['net_network_status', { full: 'yes' }, 'PARAMETER_INVALID', 'full', null],
  ];
  for (const [name, given, expected, fault, next] of cases) {
    test(`${name} ${JSON.stringify(given).slice(0, 60)}: ${expected}`, async () => {
      const refused = await refusal(name, given);
      assert.equal(refused['code'], expected);
      assert.deepEqual(Object.keys(refused), ['code', 'message', 'arguments', 'next']);
      assert.match(refused['message'] as string, /net_[a-z_]+/);
      const faults = refused['arguments'] as JsonObject[];
      assert.ok(faults.some((it) => it['name'] === fault && it['problem'] !== ''));
      assert.doesNotMatch(JSON.stringify(refused), /\/v1\/|GET |POST |openapi|docs\//);
      const [first] = refused['next'] as JsonObject[];
      if (next) assert.deepEqual(first, { arguments: {}, ...next });
      await follow(refused['next']);
    });
  }
  test('a cursor of another call', async () => {
    const { nextCursor } = await answer('net_agent_opportunities', { limit: 1 });
    const cursor = nextCursor as string;
    const { code } = await refusal('net_agent_opportunities', { cursor, requirement: 'translate' });
    assert.equal(code, 'CURSOR_INVALID');
  });
  test('an unknown tool: those with words in common, or the first one to call', async () => {
    const messageFor = async (name: string): Promise<string> => {
      const { error } = await send('tools/call', { name, arguments: {} });
      const { code, message, data } = error as JsonObject;
      assert.equal(code, -32_602);
      assert.deepEqual((data as JsonObject)['tools'], [
        ...TOOLS.map((tool) => tool.name),
        'net_prepare_intent',
      ]);
      return message as string;
    };
    assert.match(
      await messageFor('net_list_work'),
      /"net_list_work"\. Perhaps net_list_open_work,/,
    );
    assert.match(await messageFor('agent-lineage'), /Perhaps net_agent_lineage/);
    assert.match(await messageFor('NET_TOKEN_DETAILS'), /Perhaps net_token_detail/);
    for (const name of ['buy', '', '__proto__', 'net_']) {
      assert.match(await messageFor(name), /Begin with net_network_status\. tools\/list names all/);
    }
    assert.ok((await messageFor('x'.repeat(60_000))).length < 300);
  });
});

test('measures each answer beside the HTTP document of the same path', async (t) => {
  const lines = ['tool | answer | tokens | document | tokens', '--- | ---: | ---: | ---: | ---:'];
  for (const { name } of TOOLS) {
    const [[given, path] = [{}, '']] = TOOL_CASES[name];
    const bytes = Buffer.byteLength(textOf(await call(name, given)));
    const { bytes: whole } = await node.get(path.replace(/[?&]limit=10$/, ''));
    const tokens = (count: number): number => Math.round(count / BYTES_A_TOKEN);
    lines.push(
      `\`${name}\` | ${bytes} | ${tokens(bytes)} | ${whole.length} | ${tokens(whole.length)}`,
    );
    assert.ok(bytes < MAX_ANSWER_BYTES, `${name}: ${bytes}`);
  }
  for (const line of lines) t.diagnostic(`| ${line} |`);
});

test('nothing that a tool does is written, and what it answers is of the newest height', async () => {
  const state = node.state();
  for (const { name } of TOOLS) {
    for (const [given] of TOOL_CASES[name]) await call(name, given);
  }
  assert.deepEqual(node.state(), state);
  await node.join('newcomer');
  const { source } = await answer('net_list_tokens');
  assert.equal((source as JsonObject)['height'], node.height);
  assert.ok(node.height > state.height);
});

test('rows that strangers made long are fewer, where their reader has not said how many; the cursor leads on', async () => {
  const requirements = Array.from({ length: 16 }, (_, count) => `${'z'.repeat(45)}-${count}`);
  const ids = Array.from({ length: 10 }, (_, count) => `long-${count}`);
  for (const id of ids) {
    const order = workOrderOf(id, { title: 'z'.repeat(140), requirements });
    await node.act(OPERATOR, 'createWorkOrder', order);
  }
  const seen: unknown[] = [];
  for (let given: JsonObject = {}; seen.length < ids.length;) {
    const { orders, next, ...page } = await answer('net_list_open_work', given);
    assert.ok(JSON.stringify({ orders, ...page }).length < 6_000);
    seen.push(...(orders as JsonObject[]).map(({ orderId }) => orderId));
    given = (next as JsonObject[])[0]?.['arguments'] as JsonObject;
  }
  assert.deepEqual(seen.slice(0, ids.length), ids.toReversed());
  const { orders } = await answer('net_list_open_work', { limit: 10 });
  assert.equal((orders as JsonObject[]).length, 10, 'as many as were asked for');
});
