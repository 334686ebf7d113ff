/** Types of zod, valibot and arktype, and the programs of docs/agents.md that use them, as a strict compiler reads them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { utf8Bytes } from '@netd/protocol';
import { tempDir } from '@netd/testkit/temp-dir';
import { cachedPackages, unlessMissing } from '../../../../scripts/cached-environment.ts';
import { unpackSdk } from '../testing/packed-sdk.ts';
import { offerFrom } from './hire.ts';
import type { TypeSchema } from './type-schema.ts';
import { parsedAs, untyped } from './typed-work.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const LIBRARIES = {
  '@valibot/to-json-schema': '1.8.0',
  arktype: '2.2.10',
  valibot: '1.5.0',
  zod: '4.6.7',
};
const MOST_TO_INSTALL = 120_000;

/** Types of libraries that are not here when this is compiled. */
type Foreign = any; // oxlint-disable-line typescript/no-explicit-any

const home = await unlessMissing(
  'types of zod, valibot and arktype',
  cachedPackages('types', LIBRARIES, MOST_TO_INSTALL),
);
const skip = home === null ? 'the libraries could not be installed' : false;

async function load(library: string): Promise<Foreign> {
  const { resolve } = createRequire(join(home ?? '', 'package.json'));
  return import(pathToFileURL(resolve(library)).href);
}

const ASKED = { title: 't', instructions: 'i', funding: '1 NET' } as const;

test(
  'types of each library become a scope, and parse what the judge has accepted',
  { skip },
  async () => {
    const { z } = await load('zod');
    const v = await load('valibot');
    const { toStandardJsonSchema } = await load('@valibot/to-json-schema');
    const { type } = await load('arktype');
    const types: Record<string, TypeSchema<unknown, { words: number }>> = {
      zod: z.object({ words: z.int().min(1), at: z.iso.datetime().optional() }),
      valibot: toStandardJsonSchema(
        v.object({ words: v.pipe(v.number(), v.integer(), v.minValue(1)) }),
      ),
      arktype: type({ words: 'number.integer >= 1' }),
    };
    for (const [library, returns] of Object.entries(types)) {
      const { scope } = offerFrom(untyped({ ...ASKED, returns }).options);
      const [condition] = scope.acceptance;
      assert.ok(condition?.kind === 'json-schema', library);
      assert.deepEqual((condition.schema as Foreign).required, ['words'], library);
      const parse = async (text: string): Promise<unknown> =>
        parsedAs(returns, utf8Bytes(text), 'RESULT_UNPARSED');
      assert.deepEqual(await parse('{"words":3}'), { words: 3 }, library);
      await assert.rejects(parse('{"words":0}'), {
        code: 'RESULT_UNPARSED',
        data: { path: '/words' },
      });
    }
    const refused = (returns: TypeSchema, message: RegExp): void =>
      assert.throws(() => offerFrom(untyped({ ...ASKED, returns }).options), {
        code: 'SCOPE_UNJUDGEABLE',
        message,
      });
    refused(z.object({ a: z.string().regex(/^(?!b)/) }), /schema\/properties\/a\/pattern/);
    refused(z.object({ a: z.date() }), /Date cannot be represented/);
    const refined = z.object({ words: z.int() }).refine(({ words }: Foreign) => words % 2 === 0);
    assert.ok(offerFrom(untyped({ ...ASKED, returns: refined }).options));
    await assert.rejects(parsedAs(refined, utf8Bytes('{"words":3}'), 'RESULT_UNPARSED'), {
      code: 'RESULT_UNPARSED',
    });
  },
);

test('programs with types compile, and wrong ones do not', { skip }, (t) => {
  const folder = tempDir(t);
  const modules = join(folder, 'node_modules');
  unpackSdk(folder);
  for (const library of readdirSync(join(home ?? '', 'node_modules'))) {
    if (library.startsWith('.')) continue;
    symlinkSync(join(home ?? '', 'node_modules', library), join(modules, library));
  }
  symlinkSync(join(ROOT, 'node_modules/@types'), join(modules, '@types'));
  const text = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8');
  const [, program = ''] = /## Typed work\n[^]*?```ts\n([^]*?)^```/m.exec(text) ?? [];
  assert.match(program, /defineService/);
  const wrong = `
import * as v from 'valibot';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
const Words = toStandardJsonSchema(v.object({ words: v.number() }));
const Topic = type({ topic: 'string' });
agent.onWork({ job: Topic, returns: Words }, ({ data }) => ({ words: data.topic.length }));
// @ts-expect-error the handler returns another result
agent.onWork({ job: Topic, returns: Words }, ({ data }) => ({ words: data.topic }));
// @ts-expect-error the service takes another input
await agent.call(summarize, { txt: 'x' });
// @ts-expect-error the result has no such member
void (await agent.call(summarize, { text: 'x' })).letters;
`;
  writeFileSync(join(folder, 'typed.mts'), program + wrong);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2024', 'dom', 'esnext.disposable', 'dom.asynciterable'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
  };
  const project = { compilerOptions, files: ['typed.mts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(compiler, ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
  assert.equal(stdout, '');
});
