/**
 * Tests popular client generators on /openapi.json: each client must compile, and its program must register an
 * agent at a real node and find it in the list.
 * npm run generators             all; Rust and Java take minutes
 * npm run generators -- go rust  those whose name contains one of the words
 * Needs Go, Java with Maven, cargo, and Python with venv. Installs into a temporary folder.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '@netd/node';
import { registrationOf, signEnvelope, testKey } from '@netd/protocol/testing';

const VERSIONS = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.99.0',
  typescript: '5.9.3',
  '@types/node': '24.19.2',
  'oapi-codegen': 'v2.8.2',
  'openapi-python-client': '0.29.1',
  'openapi-generator': '7.25.0',
} as const;

type Step = [command: string, ...values: string[]];

interface Generator {
  name: string;
  version: string;
  /** The program, and its place among the generated files. */
  program: [source: string, target: string];
  /** Run in their own folder, below the API description. */
  steps: Step[];
}

const npm = (...names: (keyof typeof VERSIONS)[]): Step => [
  'npm',
  'install',
  '--silent',
  '--no-audit',
  '--prefix',
  '.',
  ...names.map((name) => `${name}@${VERSIONS[name]}`),
];
const JAR = 'openapi-generator-cli';
/** openapi-generator, from Maven. */
const generate = (...values: string[]): Step[] => [
  [
    'mvn',
    '-q',
    'dependency:copy',
    '-DoutputDirectory=.',
    '-Dmdep.stripVersion=true',
    `-Dartifact=org.openapitools:${JAR}:${VERSIONS['openapi-generator']}`,
  ],
  ['java', '-jar', `${JAR}.jar`, 'generate', '-i', '../openapi.json', '-o', 'client', ...values],
];
const tsc: Step = ['npx', 'tsc', '-p', '.'];

const GENERATORS: Generator[] = [
  {
    name: 'openapi-typescript',
    version: VERSIONS['openapi-typescript'],
    program: ['openapi-typescript.ts.txt', 'main.ts'],
    steps: [
      npm('openapi-typescript', 'openapi-fetch', 'typescript', '@types/node'),
      ['npx', 'openapi-typescript', '../openapi.json', '-o', 'client/api.ts'],
      tsc,
      ['node', 'out/main.js'],
    ],
  },
  {
    name: '@hey-api/openapi-ts',
    version: VERSIONS['@hey-api/openapi-ts'],
    program: ['hey-api.ts.txt', 'main.ts'],
    steps: [
      npm('@hey-api/openapi-ts', 'typescript', '@types/node'),
      ['npx', 'openapi-ts', '-i', '../openapi.json', '-o', 'client'],
      tsc,
      ['node', 'out/main.js'],
    ],
  },
  {
    name: 'oapi-codegen (Go)',
    version: VERSIONS['oapi-codegen'],
    program: ['main.go', 'cmd/main.go'],
    steps: [
      ['go', 'mod', 'init', 'client'],
      [
        'go',
        'run',
        `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${VERSIONS['oapi-codegen']}`,
        '-generate',
        'types,client',
        '-package',
        'client',
        '-o',
        'client.go',
        '../openapi.json',
      ],
      ['go', 'mod', 'tidy'],
      ['go', 'build', './...'],
      ['go', 'run', './cmd'],
    ],
  },
  {
    name: 'openapi-python-client',
    version: VERSIONS['openapi-python-client'],
    program: ['main.py', 'main.py'],
    steps: [
      ['python3', '-m', 'venv', 'venv'],
      [
        'venv/bin/pip',
        'install',
        '-q',
        `openapi-python-client==${VERSIONS['openapi-python-client']}`,
      ],
      [
        'venv/bin/openapi-python-client',
        'generate',
        '--path',
        '../openapi.json',
        '--output-path',
        'client',
        '--meta',
        'none',
        '--overwrite',
      ],
      ['venv/bin/python', '-m', 'compileall', '-q', 'client'],
      ['venv/bin/python', 'main.py'],
    ],
  },
  {
    name: 'openapi-generator (Java)',
    version: VERSIONS['openapi-generator'],
    program: ['Main.java', 'client/src/main/java/Main.java'],
    steps: [
      ...generate('-g', 'java', '--library', 'native'),
      ['mvn', '-q', '-f', 'client', 'compile'],
      ['mvn', '-q', '-f', 'client', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'],
      ['sh', '-c', 'java -cp "client/target/classes:$(cat client/classpath)" Main'],
    ],
  },
  {
    name: 'openapi-generator (Rust)',
    version: VERSIONS['openapi-generator'],
    program: ['main.rs', 'client/src/main.rs'],
    steps: [
      ...generate('-g', 'rust', '--additional-properties', 'supportAsync=false'),
      ['cargo', 'run', '-q', '--manifest-path', 'client/Cargo.toml'],
    ],
  },
];

const TSCONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    rootDir: '.',
    outDir: 'out',
  },
  files: ['main.ts'],
};

const HERE = dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2);
const chosen = GENERATORS.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)),
);
const work = mkdtempSync(join(tmpdir(), 'netd-generators-'));
const running = await serve({ host: '127.0.0.1', port: 0, dataDir: join(work, 'node') });
try {
  const description = await (await fetch(`${running.url}/openapi.json`)).text();
  writeFileSync(join(work, 'openapi.json'), description);
  const results = [];
  for (const [index, generator] of chosen.entries()) {
    console.log(`\n${generator.name} ${generator.version}`);
    const result = await tried(generator, `agent-${index}`);
    results.push({ generator: generator.name, version: generator.version, result });
  }
  console.table(results);
  if (chosen.length === 0 || results.some(({ result }) => result !== 'ok')) process.exitCode = 1;
} finally {
  await running.stop();
  rmSync(work, { recursive: true, force: true });
}

/** @returns 'ok', or the failed step */
async function tried({ program: [source, target], steps }: Generator, actorId: string) {
  const folder = join(work, actorId);
  mkdirSync(join(folder, 'client'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  const key = testKey(actorId);
  const { chainId } = running.node.dataDir.genesis;
  const unsigned = registrationOf({ actorId, key }, { nonce: `nonce-of-${actorId}`, chainId });
  writeFileSync(join(folder, 'registration.json'), JSON.stringify(signEnvelope(key, unsigned)));
  for (const step of steps) {
    // After each step, because some generators empty the folder.
    mkdirSync(dirname(join(folder, target)), { recursive: true });
    copyFileSync(join(HERE, source), join(folder, target));
    console.log(`  ${step.join(' ')}`);
    if ((await run(step, folder)) !== 0) return `failed: ${step.slice(0, 3).join(' ')}`;
  }
  return 'ok';
}

/** Asynchronous, because this process runs the node. */
function run([command, ...values]: Step, cwd: string): Promise<number> {
  const env = {
    ...process.env,
    NETD_URL: running.url,
    REGISTRATION: join(cwd, 'registration.json'),
    PATH: `${join(cwd, 'venv/bin')}:${process.env['PATH'] ?? ''}`,
  };
  const child = spawn(command, values, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  // Some report errors on standard output.
  let said = '';
  child.stdout
    .setEncoding('utf8')
    .on('data', (text: string) => (said = (said + text).slice(-4_000)));
  return new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (code) => {
      if (code !== 0) console.log(said);
      resolve(code ?? 1);
    });
  });
}
