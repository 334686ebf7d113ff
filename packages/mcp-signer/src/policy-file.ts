import { readFile } from 'node:fs/promises';
import { amountHint, compileSchema, parseAmount } from '@netd/protocol';
import { withoutByteOrderMark } from '@netd/protocol/visible-text';
import { Type, type Static } from '@netd/protocol/type';
import { AgentName, AmountText, closed } from './inputs.ts';
import type { Policy } from './policy.ts';
import { SignerError } from './signer-error.ts';
import { TOOLS } from './tools.ts';

const Limit = Type.Optional(AmountText);

const PolicyFile = Type.Object(
  {
    schema: Type.Literal('NET-MCP-POLICY/1'),
    askAbove: Limit,
    perCall: Limit,
    perHour: Limit,
    perDay: Limit,
    total: Limit,
    recipients: Type.Optional(Type.Array(AgentName, { maxItems: 1_000 })),
    alwaysAsk: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }))),
  },
  closed,
);
type PolicyFile = Static<typeof PolicyFile>;

const violationsOf = compileSchema(PolicyFile, { listAll: true });

export async function readPolicyFile(
  path: string,
): Promise<{ policy: Policy; askAbove: number | null }> {
  const file = await parsed(path);
  const unet = (name: 'askAbove' | 'perCall' | 'perHour' | 'perDay' | 'total'): number | null => {
    const text = file[name];
    const amount = text === undefined ? null : parseAmount(text, null);
    if (text !== undefined && amount === null) {
      throw new SignerError('POLICY_INVALID', `/${name} is not an amount. ${amountHint(null)}`);
    }
    return amount;
  };
  const { recipients, alwaysAsk = [] } = file;
  return {
    askAbove: unet('askAbove'),
    policy: {
      perCall: unet('perCall'),
      perHour: unet('perHour'),
      perDay: unet('perDay'),
      total: unet('total'),
      recipients: recipients ?? null,
      alwaysAsk,
    },
  };
}

async function parsed(path: string): Promise<PolicyFile> {
  let file: unknown;
  try {
    file = JSON.parse(withoutByteOrderMark(await readFile(path, 'utf8')));
  } catch (error) {
    throw new SignerError('POLICY_INVALID', (error as Error).message, { cause: error });
  }
  const violations = violationsOf(file);
  if (violations) {
    const what = violations.map(({ path: at, message }) => `${at || '/'} ${message}`).join('; ');
    throw new SignerError('POLICY_INVALID', what);
  }
  const { alwaysAsk = [] } = file as PolicyFile;
  // A misspelled action would never match, so the owner would not be asked.
  const known = new Set<string>(TOOLS.flatMap(({ needs = [] }) => needs));
  const unknown = alwaysAsk.findIndex((name) => !known.has(name));
  if (unknown >= 0) {
    const names = [...known].toSorted().join(', ');
    throw new SignerError('POLICY_INVALID', `/alwaysAsk/${unknown} is none of ${names}`);
  }
  return file as PolicyFile;
}
