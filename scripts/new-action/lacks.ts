/** What an action lacks that the last commit does not have: each with its file and what to write there. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';

const LEDGER = 'packages/ledger/src';

interface NewAction {
  name: string;
  domain: string;
}

export async function lacks(): Promise<string[]> {
  const added = newActions();
  const found = await Promise.all(added.map(lacksOf));
  return [...decisions(), ...found.flat()];
}

function newActions(): NewAction[] {
  const { stdout } = spawnSync('git', ['show', 'HEAD:contract/actions.json'], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  // An archive has no commits.
  if (stdout === '') return [];
  const imports = textOf(`${LEDGER}/actions/registry.ts`).matchAll(
    /import \{ (\w+) \} from '.\/(\w+)\//g,
  );
  return [...imports]
    .map(([, name = '', domain = '']) => ({ name, domain }))
    .filter(({ name }) => !stdout.includes(`"name": "${name}"`));
}

/** Returns `path:line: what to decide`. */
function decisions(): string[] {
  return globSync(`${LEDGER}/actions/**/*.ts`).flatMap((path) =>
    textOf(path)
      .split('\n')
      .flatMap((line, at) => {
        const [, what] = /\/\/ DECIDE: (.*)/.exec(line) ?? [];
        return what === undefined ? [] : [`${path}:${at + 1}: ${what}`];
      }),
  );
}

export async function lacksOf({ name, domain }: NewAction): Promise<string[]> {
  const { ACTIONS } = await import('@netd/ledger');
  const { ALL_REFUSALS } = await import('@netd/ledger/testing');
  const { errors = [], since = 1 } = ACTIONS.get(name) ?? {};
  const cases = new Set(ALL_REFUSALS.map(({ subject, code }) => `${subject} ${code}`));
  const quoted = `'${name}'`;
  const sentences = 'packages/protocol/src/sentences/actions.ts';
  const places: [isMissing: boolean, path: string, what: string][] = [
    [
      !textOf(`${LEDGER}/actions/${domain}/*.test.ts`).includes(quoted),
      `${LEDGER}/actions/${domain}/`,
      'a test of what it does',
    ],
    ...errors
      .filter((code) => !cases.has(`${name} ${code}`))
      .map((code): [boolean, string, string] => [
        true,
        `${LEDGER}/testing/refusals/${domain}.ts`,
        `a case for ${code}`,
      ]),
    [
      !textOf(
        `${LEDGER}/**/*.prop.test.ts`,
        `${LEDGER}/testing/*commands.ts`,
        `${LEDGER}/testing/{random,operator,session}-play.ts`,
      ).includes(quoted),
      ...(domain === 'work'
        ? ([
            `${LEDGER}/actions/work/${since > 1 ? 'fair-' : ''}work.prop.test.ts`,
            since > 1
              ? 'a move of an outsider (meddle), and one of a party (step) if it can gain'
              : 'a move: COMMANDS, ACTION_OF, whatNext, and act of its model',
          ] as const)
        : ([`${LEDGER}/testing/further-commands.ts`, 'a command for the random plays'] as const)),
    ],
    [
      !textOf('vectors/golden-chain/*.jsonl').includes(`"action":"${name}"`),
      `${LEDGER}/testing/${since > 1 ? 'rules-' : ''}golden-play.ts`,
      'do it once, then npm run golden, and an entry in vectors/golden-chain/CHANGES.md',
    ],
    [
      !textOf('contract/actions.json').includes(`"name": "${name}"`),
      'contract/',
      'npm run contract, from which both SDKs, the documentation and the forms of the wallet follow',
    ],
    [
      existsSync(sentences) && !textOf(sentences).includes(`  ${name}: [`),
      sentences,
      'what it does, said to its signer, and what the signer gives away',
    ],
    [!textOf('CHANGELOG.md').includes(name), 'CHANGELOG.md', 'a line under Unreleased'],
  ];
  return places.flatMap(([isMissing, path, what]) =>
    isMissing ? [`${path}: ${name}: ${what}`] : [],
  );
}

const textOf = (...patterns: string[]): string =>
  patterns
    .flatMap((pattern) => globSync(pattern))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
