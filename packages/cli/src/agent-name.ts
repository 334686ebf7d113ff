import { ActorId, compileSchema } from '@netd/protocol';
import { UsageError } from './command-error.ts';

const isNoActorId = compileSchema(ActorId);
const RULE = (ActorId as { description?: string }).description ?? '';

export function requireAgentName(name: string): void {
  if (isNoActorId(name) === null) return;
  throw new UsageError(`"${name}" cannot be the name of an agent: take ${RULE}`);
}
