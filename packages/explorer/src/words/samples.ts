import type { JsonObject } from '@netd/protocol';
import { LANGUAGES } from './choices.ts';

export { LANGUAGES };
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  netd: 'netd',
};

/** Null if the language cannot express the request. */
export type Samples = Readonly<Record<Language, string | null>>;

export interface ReadQuestion {
  path: string;
  inPath: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

export function requestPath({ path, inPath, query }: ReadQuestion): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(inPath[name] ?? ''),
  );
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return asked.size === 0 ? filled : `${filled}?${asked.toString()}`;
}

/** Commands that read the same as a path. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  '/health': ['status'],
  '/v1/network': ['status'],
  '/v1/agents': ['agents'],
  '/v1/agents/{agentId}': ['agents', 'agentId'],
  '/v1/accounts/{accountId}': ['balance', 'accountId'],
  '/v1/work-orders/{orderId}': ['work', 'show', 'orderId'],
};

export function readSamples(node: string, question: ReadQuestion): Samples {
  const { path, inPath, query } = question;
  const given = Object.fromEntries(
    Object.entries({ ...inPath, ...query }).filter(([, value]) => value !== ''),
  );
  const [command, ...args] = COMMANDS[path] ?? [];
  const isPlain = Object.keys(query).every((name) => query[name] === '');
  const [first, ...rest] = args;
  const words = args.length > 1 ? [first, ...rest.map((name) => inPath[name] ?? '')] : null;
  const argument = words ?? (first === undefined ? [] : [inPath[first] ?? '']);
  return {
    curl: `curl --fail-with-body ${shell(node + requestPath(question))}`,
    typescript: program(
      node,
      `console.log(await client.read(${text(path)}${
        Object.keys(given).length === 0 ? '' : `, ${text(given)}`
      }));`,
    ),
    python: pythonProgram(
      node,
      `print(client.read(${[
        text(path),
        ...Object.entries(given).map(([name, value]) => `${name}=${python(value)}`),
      ].join(', ')}))`,
    ),
    netd:
      command === undefined || !isPlain
        ? null
        : [
            'netd',
            command,
            ...argument.map((word) => shell(String(word))),
            '--url',
            shell(node),
          ].join(' '),
  };
}

/** Simulates an action without a signature. `whole` is the payload with members from agent and chain. */
export function simulateSamples(
  node: string,
  asked: { actorId: string; action: string; payload: JsonObject; whole: JsonObject },
): Samples {
  const { actorId, action, payload, whole } = asked;
  const body = JSON.stringify({ actorId, action, payload: whole });
  const json = JSON.stringify(payload);
  // Agents' keys are found by their names, the operator's only in the data directory of its node.
  const key = actorId === 'operator' ? '--key .netd/keys/operator.json ' : '';
  return {
    curl: `curl --fail-with-body ${shell(`${node}/v1/intents:simulate`)} \\\n  -H 'content-type: application/json' \\\n  -d ${shell(body)}`,
    typescript: program(
      node,
      `console.log(await client.simulate({ actorId: ${text(actorId)} }, ${text(action)}, ${text(payload)}));`,
    ),
    python: pythonProgram(
      node,
      `print(client.post("/v1/intents:simulate", ${python({ actorId, action, payload })}))`,
    ),
    netd: `netd act ${shell(actorId)} ${action} ${json === '{}' ? '' : `${shell(json)} `}${key}--dry-run --url ${shell(node)}`,
  };
}

const program = (node: string, line: string): string =>
  `import { NetClient } from 'net-sdk';\n\nconst client = new NetClient({ url: ${text(node)} });\n${line}\n`;

const pythonProgram = (node: string, line: string, more = ''): string =>
  `from netsdk import NetClient\n\nclient = NetClient(${text(node)}${more})\n${line}\n`;

function shell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns a literal for JavaScript and Python. JSON is valid in both. Escapes characters that may be
 * invisible.
 */
function text(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function python(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).map(([name, one]) => `${text(name)}: ${python(one)}`);
    return `{${members.join(', ')}}`;
  }
  return text(value);
}
