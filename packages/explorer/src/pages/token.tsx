import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { reading } from '../chain/client.ts';
import { eventsOf } from '../chain/events-of.ts';
import { useProof } from '../chain/proofs.ts';
import { useReadAgain } from '../chain/read-again.ts';
import { standingOfRecord } from '../chain/records.ts';
import { EventList } from '../marks/event-list.tsx';
import { NameWarnings } from '../marks/likeness.tsx';
import { Actor, ImitatesNet, TokenAmount, TokenSymbol, When } from '../marks/names.tsx';
import { Card, Fact, Facts, Page, SkeletonCard } from '../ui/parts.tsx';
import { MissingRecord } from '../marks/missing-record.tsx';
import { ProofBadge } from '../marks/proof.tsx';
import { count, share } from '../words/amount.ts';
import { readsAsNet } from '../words/look-alike.ts';

export function TokenPage() {
  const { tokenId } = useParams({ from: '/tokens/$tokenId' });
  const found = useQuery(reading('/v1/tokens/{tokenId}', { tokenId }));
  const { data } = found;
  const proof = useProof('state', data ? `token/${tokenId}` : '', data?.height);
  useReadAgain({ height: data?.height, refetch: found.refetch }, proof.proven?.height);
  if (!data) {
    return (
      <Page title={tokenId} crumb={<Link to="/tokens">Tokens</Link>}>
        {found.isError ? (
          <MissingRecord
            stateKey={`token/${tokenId}`}
            error={found.error}
            what={`The token ${tokenId} could not be read.`}
          />
        ) : (
          <SkeletonCard lines={5} />
        )}
      </Page>
    );
  }
  const { token, topHolders } = data;
  const { decimals } = token;
  const isPiece = decimals === 0 && token.supplyCap === 1;
  const shown = { shown: token, height: data.height };
  const { standing, contradicts } = standingOfRecord('token', shown, proof);
  return (
    <Page
      title={readsAsNet(token.name) ? tokenId : token.name}
      crumb={
        <>
          <Link to="/tokens">Tokens</Link> / <span className="mono">{tokenId}</span>
          <NameWarnings kind="token" id={tokenId} name={token.name} />
        </>
      }
      lead={
        <>
          {isPiece ? 'NFT' : 'Token'} with the symbol{' '}
          <TokenSymbol symbol={token.symbol} id={tokenId} />, created by{' '}
          <Actor id={token.creatorId} />
          {readsAsNet(token.name) && <ImitatesNet />}
        </>
      }
      aside={
        <ProofBadge
          standing={standing}
          what="the record of this token"
          contradicts={contradicts}
          steps={['a Merkle proof shows that the state contains its record']}
        />
      }
    >
      <div className="split">
        <div className="stack">
          <Card title="Top holders" aside={<span className="soft">unverified</span>}>
            <ul className="plain-list">
              {topHolders.map(({ actorId, amount }) => (
                <li key={actorId} className="holder">
                  <Actor id={actorId} />
                  <span className="number">
                    <TokenAmount units={amount} token={token} />{' '}
                    <span className="soft">{share(amount, token.supply)}</span>
                  </span>
                </li>
              ))}
            </ul>
          </Card>
          <Card title="Events" aside={<span className="soft">newest first</span>}>
            <EventList
              events={eventsOf(
                `token ${tokenId}`,
                {},
                ({ data: about }) => about['tokenId'] === tokenId,
              )}
              none={`It was created at height ${count(token.createdAt.height)}.`}
            />
          </Card>
        </div>
        <Card title="Supply">
          <Facts>
            <Fact name="Current supply">
              <TokenAmount units={token.supply} token={token} />
            </Fact>
            <Fact name="Cap">
              <TokenAmount units={token.supplyCap} token={token} />
            </Fact>
            <Fact name="Decimals">{decimals}</Fact>
            <Fact name="Mint authority">
              {token.mintAuthority === null ? (
                'none, so the supply cannot grow'
              ) : (
                <Actor id={token.mintAuthority} />
              )}
            </Fact>
            <Fact name="Created">
              <When at={token.createdAt.height} />
            </Fact>
          </Facts>
        </Card>
      </div>
    </Page>
  );
}
