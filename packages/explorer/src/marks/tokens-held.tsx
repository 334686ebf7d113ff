/**
 * Finds an agent's tokens through its events, because nodes have no list by holder. Balances come from the
 * state.
 */
import type { SchemaOf } from '@netd/sdk/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { allEvents } from '../chain/events-of.ts';
import { useProof } from '../chain/proofs.ts';
import { TokenAmount, TokenLink } from './names.tsx';
import { Card } from '../ui/parts.tsx';
import { counted } from '../words/amount.ts';

const MOST_TOKENS = 20;

export function TokensHeld({ agentId, title = 'Tokens' }: { agentId: string; title?: string }) {
  const list = useInfiniteQuery(allEvents(agentId));
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  const tokens = [...new Set(events.map(({ data }) => data['tokenId']))]
    .filter((id) => typeof id === 'string')
    .slice(0, MOST_TOKENS);
  if (tokens.length === 0) return null;
  return (
    <Card title={title} aside={<span className="soft">checked in this browser</span>}>
      <ul className="plain-list">
        {tokens.map((tokenId) => (
          <Held key={tokenId} tokenId={tokenId} agentId={agentId} />
        ))}
      </ul>
    </Card>
  );
}

function Held({ tokenId, agentId }: { tokenId: string; agentId: string }) {
  // Its decimals are a part of the amount that one reads.
  const token = useProof('state', `token/${tokenId}`);
  const { standing, proven } = useProof('state', `token-holder/${tokenId}/${agentId}`);
  const { amount = 0 } = (proven?.value ?? {}) as { amount?: number };
  const record = (token.proven?.value ?? undefined) as SchemaOf<'CustomToken'> | undefined;
  return (
    <li className="holder">
      {record ? <TokenLink id={tokenId} name={record.name} /> : <TokenLink id={tokenId} />}
      <span className="number">
        {standing.standing === 'proving' && '…'}
        {standing.standing === 'failed' && `do not rely on it: ${standing.reason}`}
        {standing.standing === 'unproven' && 'unknown'}
        {standing.standing === 'proven' &&
          (record ? (
            <TokenAmount units={amount} token={record} />
          ) : (
            counted(amount, 'smallest unit')
          ))}
      </span>
    </li>
  );
}
