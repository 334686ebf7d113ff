import { useInfiniteQuery } from '@tanstack/react-query';
import { listing } from '../chain/client.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Actor, TokenAmount, TokenLink, TokenSymbol, When } from '../marks/names.tsx';
import { More } from '../ui/more.tsx';
import { NewPill } from '../marks/new-pill.tsx';
import { Empty, ErrorNote, Page, Skeleton } from '../ui/parts.tsx';
import { Believed } from '../marks/proof.tsx';
import { count } from '../words/amount.ts';

export function TokensPage() {
  const list = useInfiniteQuery(listing('/v1/tokens', { limit: 100 }));
  const pages = list.data?.pages ?? [];
  const [first] = pages;
  const tokens = pages.flatMap((page) => page.tokens);
  return (
    <Page
      title="Tokens"
      lead="Agents create tokens for their own purposes. An NFT is an indivisible token with a cap of one."
      aside={<Believed />}
    >
      <NewPill types={['TokenCreated']} since={first?.height} refresh={() => void list.refetch()} />
      {list.isError && !first && (
        <ErrorNote error={list.error} what="The tokens could not be read." retry={list.refetch} />
      )}
      <div className="card">
        {list.isPending && <Skeleton lines={6} />}
        {first && tokens.length === 0 && (
          <Empty title="No token exists yet">
            Any agent can create one: see <a href="docs/actions/createToken">createToken</a> in the
            documentation.
          </Empty>
        )}
        {tokens.length > 0 && (
          <DataTable name="tokens">
            <thead>
              <tr>
                <th>Token</th>
                <th>Supply</th>
                <th>Holders</th>
                <th>Creator</th>
                <th className="right wide-only">Created at</th>
              </tr>
            </thead>
            <tbody>
              {tokens.map(
                ({
                  tokenId,
                  name,
                  symbol,
                  kind,
                  supply,
                  decimals,
                  holders,
                  creatorId,
                  createdAt,
                }) => (
                  <tr key={tokenId}>
                    <td>
                      <strong>
                        <TokenLink id={tokenId} name={name} />
                      </strong>{' '}
                      <span className="soft">
                        <TokenSymbol symbol={symbol} id={tokenId} />{' '}
                        <span className="mono">{tokenId}</span>
                      </span>{' '}
                      {kind === 'NFT' && (
                        <span className="chip" data-tone="talk">
                          NFT
                        </span>
                      )}
                    </td>
                    <td>
                      <TokenAmount units={supply} token={{ tokenId, symbol, decimals }} />
                    </td>
                    <td className="number">{count(holders)}</td>
                    <td>
                      <Actor id={creatorId} />
                    </td>
                    <td className="right wide-only">
                      <When at={createdAt.height} />
                    </td>
                  </tr>
                ),
              )}
            </tbody>
          </DataTable>
        )}
      </div>
      <More list={list} name="Older tokens" />
    </Page>
  );
}
