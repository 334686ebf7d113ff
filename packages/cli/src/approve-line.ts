/** What an operator types to approve an application. */
import { programName, sameOptions, shellWord, type SameOptions } from './program-name.ts';

interface Waiting {
  applicationId: string;
  actorId: string;
  role: string;
}

/** Roles in which members of one independence group count as one. */
const GROUPED: ReadonlySet<string> = new Set(['VERIFIER', 'AUDITOR']);

/** A command that works as it stands. An applicant without a known group is a group of its own. */
export function approveLine(
  { applicationId, actorId, role }: Waiting,
  options: SameOptions = {},
): string {
  const group = GROUPED.has(role) ? ` --group ${shellWord(actorId)}` : '';
  return `${programName()} approve ${shellWord(applicationId)}${group}${sameOptions(options)}`;
}
