/** The programs of the guides, as a reader pastes them into a strict TypeScript project. guides.slow.test.ts of the CLI runs them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempDir } from '@netd/testkit/temp-dir';
import { unpackSdk } from './testing/packed-sdk.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const OPTIONS = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom', 'esnext.disposable', 'dom.asynciterable'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

/** Readers have @types/express. These are the members that a guide uses. */
const EXPRESS = `declare module 'express' {
  interface Reply {
    json(value: unknown): Reply;
    status(code: number): Reply;
    sendStatus(code: number): Reply;
  }
  interface Asked {
    body: any;
    get(header: string): string | undefined;
  }
  type Handler = (request: Asked, response: Reply) => unknown;
  interface App {
    (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse): void;
    use(part: unknown): App;
    get(path: string, handler: Handler): App;
    post(path: string, handler: Handler): App;
    listen(port: number, host: string): import('node:http').Server;
  }
  const express: { (): App; json(): unknown };
  export default express;
}
`;

test('programs of the guides are strict TypeScript as printed', (t) => {
  const folder = tempDir(t);
  unpackSdk(folder);
  for (const name of ['@types', '@opentelemetry', 'hono', 'zod']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const guides = readdirSync(join(ROOT, 'docs/guides')).map((name) => `guides/${name}`);
  const programs = [...guides, 'agents.md'].flatMap((guide) => {
    const text = readFileSync(join(ROOT, 'docs', guide), 'utf8');
    return [...text.matchAll(/^```(?:js|ts)\b[^\n]*\n((?:import |\/\/ \S+\.ts\n)[^]*?)^```/gm)].map(
      ([, program = ''], index) => {
        const [, named] = /^\/\/ (\S+\.ts)\n/.exec(program) ?? [];
        const name = named ?? `${basename(guide, '.md')}-${index}.mts`;
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), program);
        return name;
      },
    );
  });
  assert.ok(programs.length >= 13);
  writeFileSync(join(folder, 'express.d.ts'), EXPRESS);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  programs.push('express.d.ts');
  const project = { compilerOptions: OPTIONS, files: programs };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(compiler, ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
  assert.deepEqual(stdout.split('\n').filter(Boolean), []);
});
