import type { Command } from 'commander';
import { addActorOptions, openAsActor, type ActorOptions } from '../acting-agent.ts';
import { positiveAmount } from '../option-values.ts';
import { answer } from '../output.ts';
import { receiptText, submitAction } from '../submit-action.ts';
import type { Terminal } from '../terminal.ts';

export function configure(command: Command, terminal: Terminal): void {
  addActorOptions(
    command.argument('<amount>', 'how much, for example 5NET', positiveAmount),
  ).action(async (unet: number, options: ActorOptions) => {
    const acting = await openAsActor(options);
    const receipt = await submitAction(acting, 'faucet', { amount: unet }, terminal);
    answer(terminal, options, receipt, () => receiptText(acting, 'faucet', receipt));
  });
}
