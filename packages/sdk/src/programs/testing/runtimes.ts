/** Starts a program on each runtime, with the package that a node serves. */
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@netd/testkit/free-port';
import { build } from 'rolldown';
import { NODE_VERSIONS, nodeProgram } from '../../../../../scripts/node-environment.ts';
import { pythonSdkEnvironment } from '../../../../../scripts/python-environment.ts';
import { runtimeProgram } from '../../../../../scripts/runtime-environment.ts';
import { unpackSdk } from '../../testing/packed-sdk.ts';
import type { Start } from './program.ts';

const PROGRAMS = ['service', 'pipeline', 'notebook', 'migration'] as const;
export type ProgramName = (typeof PROGRAMS)[number];

const [NODE_20, NODE_22, NODE_24] = NODE_VERSIONS;
export const RUNTIMES = [
  'node 20',
  'node 22',
  'node 24',
  'bun',
  'deno',
  'workerd',
  'python',
] as const;
export type RuntimeName = (typeof RUNTIMES)[number];

const PYTHON = fileURLToPath(new URL('../../../../../clients/python/', import.meta.url));
const MODULES = fileURLToPath(new URL('../../../../../node_modules/', import.meta.url));

/** Returns the program of a runtime; null if it is unavailable here. */
async function install(name: RuntimeName): Promise<string | null> {
  const what = `the programs under ${name}`;
  switch (name) {
    case 'node 20':
      return nodeProgram(NODE_20, what);
    case 'node 22':
      return nodeProgram(NODE_22, what);
    case 'node 24':
      return nodeProgram(NODE_24, what);
    case 'python': {
      const programs = await pythonSdkEnvironment(what);
      return programs && join(programs, 'python');
    }
    default:
      return runtimeProgram(name, what);
  }
}

/** Installs the runtimes that a test needs. */
export async function installed(
  names: readonly RuntimeName[],
): Promise<Map<RuntimeName, string | null>> {
  const found = new Map<RuntimeName, string | null>();
  for (const name of names) found.set(name, await install(name));
  return found;
}

/** Writes the programs into a folder that has the package of the node, as a user has them. */
export async function writePrograms(folder: string): Promise<void> {
  unpackSdk(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  symlinkSync(join(MODULES, 'zod'), join(folder, 'node_modules/zod'));
  for (const name of [...PROGRAMS, 'worker']) {
    await build({
      input: fileURLToPath(new URL(`${name}.ts`, import.meta.url)),
      external: [/^net-sdk/, 'zod'],
      output: { format: 'esm', file: join(folder, `${name}.mjs`) },
    });
  }
  // Bundles the worker as a user would, which fails if anything in it needs Node.
  await build({
    input: join(folder, 'worker.mjs'),
    platform: 'browser',
    output: { format: 'esm', file: join(folder, 'worker-bundle.mjs') },
  });
}

export interface Place {
  /** The folder of `writePrograms`. */
  folder: string;
  /** Directory of the keys and states of the agents. */
  home: string;
  env: Record<string, string>;
}

/**
 * Returns the start of a program.
 * @param program of the runtime
 */
export async function startOf(
  runtime: RuntimeName,
  program: string,
  [name, ...args]: readonly [ProgramName, ...string[]],
  place: Place,
): Promise<Start> {
  const { folder, home } = place;
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, ...place.env };
  switch (runtime) {
    case 'python': {
      const python = { PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' };
      const command = [program, '-m', `tests.programs.${name}`, ...args] as const;
      return { command, cwd: PYTHON, env: { ...env, ...python } };
    }
    case 'workerd':
      return workerdStart(program, name, place);
    case 'deno': {
      const deno = { DENO_DIR: join(home, 'deno'), DENO_NO_UPDATE_CHECK: '1' };
      const command = [program, 'run', '--quiet', '--allow-all', `${name}.mjs`, ...args] as const;
      return { command, cwd: folder, env: { ...env, ...deno } };
    }
    default:
      return { command: [program, `${name}.mjs`, ...args], cwd: folder, env };
  }
}

async function workerdStart(
  program: string,
  name: ProgramName,
  { folder, home, env }: Place,
): Promise<Start> {
  const cwd = join(home, `workerd-${name}`);
  mkdirSync(join(cwd, 'disk'), { recursive: true });
  copyFileSync(join(folder, 'worker-bundle.mjs'), join(cwd, 'worker.mjs'));
  const port = await freePort();
  const text = JSON.stringify(env['NET_URL']);
  writeFileSync(
    join(cwd, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["local"])),
    (name = "disk", disk = (path = "disk", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-11-01",
  durableObjectNamespaces = [(className = "Resident", uniqueKey = "resident", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [
    (name = "RESIDENT", durableObjectNamespace = "Resident"),
    (name = "NET_URL", text = ${text}),
    (name = "PROGRAM", text = "${name}"),
  ],
);
`,
  );
  const command = [program, 'serve', 'config.capnp'] as const;
  const wakeAt = `http://127.0.0.1:${port}/`;
  return { command, cwd, env: { PATH: process.env['PATH'] ?? '' }, wakeAt };
}
