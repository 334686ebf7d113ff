import { isNetSymbol } from '@netd/protocol';
import type { Command } from 'commander';
import { addNodeOptions, openNode, type NodeOptions } from '../node-address.ts';
import { wholeNumber } from '../option-values.ts';
import { answer, factsText, listText } from '../output.ts';
import { columns, oneLine } from '../printable.ts';
import type { Terminal } from '../terminal.ts';

interface TokensOptions extends NodeOptions {
  limit: number;
}

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(
    command
      .argument('[token]', 'show this one')
      .option('--limit <number>', 'how many, the newest first', wholeNumber(1, 1_000), 20),
  ).action((token: string | undefined, options: TokensOptions) =>
    token === undefined ? list(options, terminal) : show(token, options, terminal),
  );
}

function units(amount: number, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Marks tokens that are named like the network's money. Older nodes allowed them. */
const symbolText = (symbol: string): string =>
  isNetSymbol(symbol) ? `${symbol} [not the network's]` : oneLine(symbol);

async function list(options: TokensOptions, terminal: Terminal): Promise<void> {
  const { client } = await openNode(options);
  const page = await client.read('/v1/tokens', { limit: options.limit });
  answer(terminal, options, page, () =>
    listText(
      terminal,
      ['TOKEN', 'SYMBOL', 'KIND', 'SUPPLY', 'CAP', 'HOLDERS', 'BY', 'NAME'],
      page.tokens.map((token) => [
        token.tokenId,
        symbolText(token.symbol),
        token.kind,
        units(token.supply, token.decimals),
        units(token.supplyCap, token.decimals),
        String(token.holders),
        token.creatorId,
        oneLine(token.name, 40),
      ]),
      { empty: 'no token yet', total: page.total },
    ),
  );
}

async function show(tokenId: string, options: TokensOptions, terminal: Terminal): Promise<void> {
  const { client } = await openNode(options);
  const document = await client.read('/v1/tokens/{tokenId}', { tokenId });
  const { token, topHolders } = document;
  answer(terminal, options, document, () =>
    [
      `${terminal.paint('bold', token.tokenId)}  ${oneLine(token.name)} (${symbolText(token.symbol)})`,
      factsText([
        ['kind', token.kind],
        [
          'supply',
          `${units(token.supply, token.decimals)} of ${units(token.supplyCap, token.decimals)}`,
        ],
        ['minted by', token.mintAuthority ?? 'no account any more'],
        ['created', `by ${token.creatorId} at height ${token.createdAt.height}`],
      ]),
      `  held by ${token.holders}:`,
      columns(
        topHolders.map(({ actorId, amount }) => [actorId, units(amount, token.decimals)]),
        '    ',
      ),
    ].join('\n'),
  );
}
