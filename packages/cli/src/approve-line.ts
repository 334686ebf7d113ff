import { programName, sameOptions, shellWord, type SameOptions } from './program-name.ts';

interface Waiting {
  applicationId: string;
  actorId: string;
  role: string;
}

const GROUPED: ReadonlySet<string> = new Set(['VERIFIER', 'AUDITOR']);

export function approveLine(
  { applicationId, actorId, role }: Waiting,
  options: SameOptions = {},
): string {
  const group = GROUPED.has(role) ? ` --group ${shellWord(actorId)}` : '';
  return `${programName()} approve ${shellWord(applicationId)}${group}${sameOptions(options)}`;
}
