import type { Command } from 'commander';
import { addActorOptions, openAsActor, type ActorOptions } from '../../acting-agent.ts';
import { answer } from '../../output.ts';
import { receiptText, submitAction } from '../../submit-action.ts';
import type { Terminal } from '../../terminal.ts';

export function configure(command: Command, terminal: Terminal): void {
  addActorOptions(command.argument('<session>', 'its id')).action(
    (sessionId: string, options: ActorOptions) => revoke(sessionId, options, terminal),
  );
}

async function revoke(sessionId: string, options: ActorOptions, terminal: Terminal): Promise<void> {
  const acting = await openAsActor(options);
  const payload = { agentId: acting.actor.actorId, sessionId };
  const receipt = await submitAction(acting, 'revokeSession', payload, terminal);
  answer(terminal, options, receipt, () => receiptText(acting, 'revokeSession', receipt));
}
