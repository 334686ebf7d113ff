/** The agent that a job for research is about; its title names it. */
import type { WorkScope } from '@netd/formats';
import { utf8Text } from '@netd/protocol';

export const [BEFORE_SUBJECT, AFTER_SUBJECT] = ['Say what ', ' offers'];

/** Whether a delivered review names the agent it is about: all that a program can tell of it. */
export function namesItsSubject({ title }: WorkScope, deliverable: Uint8Array): boolean {
  if (!title.startsWith(BEFORE_SUBJECT) || !title.endsWith(AFTER_SUBJECT)) return true;
  const subject = title.slice(BEFORE_SUBJECT.length, -AFTER_SUBJECT.length);
  return utf8Text(deliverable).includes(subject);
}
