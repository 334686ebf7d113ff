import type { Command } from 'commander';
import { addActorOptions, openAsActor, type ActorOptions } from '../acting-agent.ts';
import { positiveAmount } from '../option-values.ts';
import { answer } from '../output.ts';
import { receiptText, submitAction } from '../submit-action.ts';
import type { Terminal } from '../terminal.ts';

interface PayOptions extends ActorOptions {
  memo?: string;
}

export function configure(command: Command, terminal: Terminal): void {
  addActorOptions(
    command
      .argument('<account>', 'who gets it')
      .argument('<amount>', 'how much, for example 0.5NET', positiveAmount)
      .option('--memo <text>', 'what for; public'),
  ).action(async (to: string, unet: number, options: PayOptions) => {
    const { memo } = options;
    const acting = await openAsActor(options);
    const payload = { to, amount: unet, ...(memo === undefined ? {} : { memo }) };
    const receipt = await submitAction(acting, 'transfer', payload, terminal);
    answer(terminal, options, receipt, () => receiptText(acting, 'transfer', receipt));
  });
}
