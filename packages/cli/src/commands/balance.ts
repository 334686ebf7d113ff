import type { Command } from 'commander';
import { addActorOptions, onlyAgent, type ActorOptions } from '../acting-agent.ts';
import { netText } from '@netd/protocol';
import { openNode } from '../node-address.ts';
import { answer, factsText } from '../output.ts';
import type { Terminal } from '../terminal.ts';

export function configure(command: Command, terminal: Terminal): void {
  addActorOptions(
    command.argument('[agent]', 'whose (default: the only agent with a key here)'),
  ).action((agent: string | undefined, options: ActorOptions) => balance(agent, options, terminal));
}

async function balance(
  agent: string | undefined,
  options: ActorOptions,
  terminal: Terminal,
): Promise<void> {
  const { client, network } = await openNode(options, agent ?? options.as ?? null);
  const accountId = agent ?? onlyAgent(options, network.chainId);
  const account = await client.read('/v1/accounts/{accountId}', { accountId });
  answer(terminal, options, account, () => {
    const { bonded, delegations, unbondings } = account.stake;
    const staked = delegations.reduce((sum, { worth }) => sum + worth, 0);
    const released = unbondings.reduce((sum, { worth }) => sum + worth, 0);
    const name = terminal.paint('bold', account.accountId);
    const total = terminal.paint('green', netText(account.balance));
    const rest = factsText([
      bonded === 0 ? null : ['bonded', netText(bonded)],
      staked === 0 ? null : ['delegated', netText(staked)],
      released === 0 ? null : ['unbonding', netText(released)],
      account.faucetReceived === 0
        ? null
        : ['of it from the faucet', netText(account.faucetReceived)],
    ]);
    return [`${name}  ${total}`, rest].filter((part) => part !== '').join('\n');
  });
}
