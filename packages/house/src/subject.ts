/** The title of a review job names the agent that the review is about. */
import type { WorkScope } from '@netd/formats';
import { utf8Text } from '@netd/protocol';

export const [BEFORE_SUBJECT, AFTER_SUBJECT] = ['Say what ', ' offers'];

/**
 * Returns true if the review mentions its subject, or if the job is no review. A program can check no more.
 */
export function namesItsSubject({ title }: WorkScope, deliverable: Uint8Array): boolean {
  if (!title.startsWith(BEFORE_SUBJECT) || !title.endsWith(AFTER_SUBJECT)) return true;
  const subject = title.slice(BEFORE_SUBJECT.length, -AFTER_SUBJECT.length);
  return utf8Text(deliverable).includes(subject);
}
