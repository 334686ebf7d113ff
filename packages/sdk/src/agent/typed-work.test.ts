import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { workScope } from '@netd/formats';
import { utf8Bytes, utf8Text } from '@netd/protocol';
import { Agent } from './agent.ts';
import { offerFrom } from './hire.ts';
import { defineService } from './service.ts';
import { DIALECT, typeOf } from './testing/type-of.ts';
import type { TypeSchema } from './type-schema.ts';
import { parsedAs, requireTypes, untyped } from './typed-work.ts';
import type { Job } from './work-job.ts';

interface Summary {
  words: number;
}
const Summary = typeOf<Summary>(
  { type: 'object', properties: { words: { type: 'integer' } }, required: ['words'] },
  ({ words }) => (words > 9 ? 'too many' : null),
);
const Topic = typeOf<{ topic: string }>({ type: 'object' });
const ASKED = { title: 't', instructions: 'i', funding: '1 NET' } as const;

const ASKED_SERVICE = { name: 'count', output: Summary, price: '10 NET' } as const;

const summarize = defineService({
  name: 'summarize',
  input: Topic,
  output: Summary,
  price: '10 NET',
  handler: ({ data }) => ({ words: data.topic.length }),
});

/** Never called: the compiler checks these lines. */
export async function types(agent: Agent): Promise<number> {
  const hired = await agent.hire({ ...ASKED, returns: Summary, input: { topic: 'hash' } });
  const { value } = await hired.result();
  value satisfies Summary;
  // @ts-expect-error the type has no such member
  void value.letters;
  const again = await agent.hired('o-1', { returns: Summary });
  (await again.result()).value satisfies Summary;
  (await (await agent.hired('o-1')).result()).value satisfies undefined;
  // @ts-expect-error neither a type nor a condition
  await agent.hire(ASKED);
  // @ts-expect-error no type
  await agent.hire({ ...ASKED, returns: { type: 'object' } });
  agent.onWork({ job: Topic, returns: Summary }, async ({ data }: Job<{ topic: string }>) => ({
    words: data.topic.length,
  }));
  agent.onWork({ job: Topic, minFunding: '1 NET' }, ({ data }) => data.topic);
  agent.onWork((job) => (job.data satisfies undefined, 'text'));
  // @ts-expect-error the handler takes another input
  agent.onWork({ job: Topic, returns: Summary }, ({ data }: Job<number>) => ({ words: data }));
  // @ts-expect-error the handler returns another result
  agent.onWork({ job: Topic, returns: Summary }, async ({ data }) => ({ words: data.topic }));
  // @ts-expect-error JSON has no dates
  agent.onWork({ job: Topic }, () => ({ now: new Date() }));
  agent.serve(summarize);
  const { words } = await agent.call(summarize, { topic: 'hash' }, { id: 'o-2', worker: 'ada' });
  // @ts-expect-error the service takes another input
  await agent.call(summarize, { subject: 'hash' });
  // @ts-expect-error no amount
  await agent.call(summarize, { topic: 'hash' }, { funding: '5' });
  defineService({
    ...summarize,
    // @ts-expect-error the handler returns another result
    handler: () => ({ words: 'many' }),
  });
  return words;
}

describe('a typed order', () => {
  it('has the schema of its result as the first condition, and its input as the first input', () => {
    const condition = { kind: 'review', question: 'Is it good?' } as const;
    const { options, input } = untyped({
      ...ASKED,
      returns: Summary,
      input: { b: 1, a: undefined },
      acceptance: [condition],
    });
    const { scope, bytes } = offerFrom(options);
    assert.deepEqual(scope.acceptance, [
      {
        kind: 'json-schema',
        schema: {
          $schema: DIALECT,
          type: 'object',
          properties: { words: { type: 'integer' } },
          required: ['words'],
        },
      },
      condition,
    ]);
    assert.deepEqual(scope.deliverable, { mediaType: 'application/json', maxBytes: 65_536 });
    assert.equal(utf8Text(input ?? new Uint8Array()), '{"b":1}');
    const { hash, ...named } = scope.inputs[0] ?? { hash: '' };
    assert.deepEqual(named, { name: 'input', mediaType: 'application/json', byteLength: 7 });
    assert.equal(hash.length, 64);
    assert.deepEqual(workScope.read(bytes), scope);
  });

  it('is refused with the path of a schema that the judge cannot express', () => {
    const returns = typeOf({ properties: { a: { type: 'string', pattern: '^(?!b)' } } });
    assert.throws(() => offerFrom(untyped({ ...ASKED, returns }).options), {
      code: 'SCOPE_UNJUDGEABLE',
      message: /\/acceptance\/0\/schema\/properties\/a\/pattern/,
    });
  });

  it('is refused with the words of a library that has no schema for its type', () => {
    const refuse = (): never => {
      throw new Error('Date cannot be represented in JSON Schema');
    };
    const { '~standard': standard } = Summary;
    const jsonSchema = { input: refuse, output: refuse };
    const returns: TypeSchema = { '~standard': { ...standard, jsonSchema } };
    assert.throws(() => untyped({ ...ASKED, returns }), {
      code: 'SCOPE_UNJUDGEABLE',
      message: /\/returns.*Date cannot be represented/,
    });
  });

  it('takes only types that have a JSON Schema', () => {
    for (const returns of [null, 5, {}, { '~standard': { version: 1, validate: () => null } }]) {
      assert.throws(() => requireTypes({ returns }), {
        code: 'ARGUMENT_INVALID',
        message: /toStandardJsonSchema/,
      });
    }
  });
});

describe('a result', () => {
  it('is parsed, with the path of a refinement that the judge does not know', async () => {
    const parse = (text: string): Promise<Summary> =>
      parsedAs(Summary, utf8Bytes(text), 'RESULT_UNPARSED');
    assert.deepEqual(await parse('{"words":3}'), { words: 3 });
    await assert.rejects(parse('{"words":10}'), {
      code: 'RESULT_UNPARSED',
      data: { path: '/words' },
      message: /\/words: too many/,
    });
    await assert.rejects(parse('{"words":'), { code: 'RESULT_UNPARSED' });
    await assert.rejects(parsedAs(Summary, new Uint8Array([0xff]), 'INPUT_INVALID'), {
      code: 'INPUT_INVALID',
    });
  });
});

describe('a service', () => {
  it('is not hired with an input of another type', async () => {
    const count = defineService({ ...ASKED_SERVICE, input: Summary, handler: ({ data }) => data });
    const agent = Object.create(Agent.prototype) as Agent;
    agent.hire = () => assert.fail('something was sent');
    await assert.rejects(agent.call(count, { words: 10 }), {
      code: 'INPUT_INVALID',
      data: { path: '/words' },
    });
  });
  it('is named and described as a tool of MCP', () => {
    const { name, description, inputSchema, outputSchema } = summarize;
    assert.deepEqual([name, description], ['summarize', 'summarize']);
    assert.deepEqual(inputSchema, { $schema: DIALECT, type: 'object' });
    assert.deepEqual(outputSchema['required'], ['words']);
  });

  it('refuses a wrong price, handler or type when it is defined', () => {
    const refused = (change: object, code: string): void =>
      assert.throws(() => defineService({ ...definition, ...change } as never), { code });
    const { inputSchema: _input, outputSchema: _output, ...definition } = summarize;
    for (const price of ['5', 0, '0 NET']) refused({ price }, 'AMOUNT_INVALID');
    refused({ handler: null }, 'ARGUMENT_INVALID');
    refused({ handler: 5 }, 'ARGUMENT_INVALID');
    refused({ output: {} }, 'ARGUMENT_INVALID');
    refused({ name: 'n'.repeat(129) }, 'ARGUMENT_INVALID');
    refused({ cost: 1 }, 'OPTION_UNKNOWN');
    const own = { ...definition, inputSchema: {} };
    assert.throws(() => defineService(own), { code: 'OPTION_UNKNOWN' });
  });

  it('refuses a result type that no jury can judge, with the path of the fault', () => {
    const word = { type: 'string', pattern: '^(?=.*[0-9]).+$' };
    const output = typeOf({ type: 'object', properties: { word } });
    assert.throws(() => defineService({ ...summarize, output }), {
      code: 'SCOPE_UNJUDGEABLE',
      path: '/output/properties/word/pattern',
      detail: /lookarounds and names: use \( \) or \(\?: \)/,
    });
  });

  it('accepts a handler later, and checks it against the types that its buyers use', () => {
    const { handler: _handler, ...asked } = summarize;
    const bought = defineService(asked);
    const served = defineService({
      ...bought,
      handler: ({ data }) => ({ words: data.topic.length }),
    });
    assert.deepEqual(served.outputSchema, bought.outputSchema);
    // @ts-expect-error The result lacks `words`.
    defineService({ ...bought, handler: () => ({ letters: 1 }) });
    // @ts-expect-error The input has no `letters`.
    defineService({ ...bought, handler: ({ data }) => ({ words: data.letters }) });
  });
});
