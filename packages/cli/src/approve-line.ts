/** Writes the command that approves an application. */
import { programName, sameOptions, shellWord, type SameOptions } from './program-name.ts';

interface Waiting {
  applicationId: string;
  actorId: string;
  role: string;
}

/** Roles in which one independence group counts once. */
const GROUPED: ReadonlySet<string> = new Set(['VERIFIER', 'AUDITOR']);

/** Returns a complete command. An applicant without a known group is its own group. */
export function approveLine(
  { applicationId, actorId, role }: Waiting,
  options: SameOptions = {},
): string {
  const group = GROUPED.has(role) ? ` --group ${shellWord(actorId)}` : '';
  return `${programName()} approve ${shellWord(applicationId)}${group}${sameOptions(options)}`;
}
