import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { reading } from '../chain/client.ts';
import { ActivityCharts } from '../marks/activity-charts.tsx';
import { Net } from '../marks/names.tsx';
import { Card, ErrorNote, Fact, Facts, Page, SkeletonCard } from '../ui/parts.tsx';
import { Believed } from '../marks/proof.tsx';
import { share } from '../words/amount.ts';
import { SaveAs } from '../ui/save-as.tsx';
import type { TableFile } from '../words/csv.ts';
import { capitalized, words } from '../words/ids.ts';
import { OverTime } from './economy/over-time.tsx';

export function EconomyPage() {
  const found = useQuery(reading('/v1/tokenomics'));
  const { data } = found;
  return (
    <Page
      title="Economy"
      lead="NET is the token of this devnet, without monetary value. All of it has existed since genesis, and each unit is in one of these classes."
      aside={<Believed />}
    >
      {!data && found.isError && (
        <ErrorNote
          error={found.error}
          what="The economy could not be read."
          retry={found.refetch}
        />
      )}
      {!data && found.isPending && <SkeletonCard lines={9} />}
      {data && (
        <div className="stack">
          <Card
            title="NET by class"
            aside={
              <span className="chip" data-tone={data.supply.conserved ? 'money' : 'trouble'}>
                {data.supply.conserved ? 'adds up to the supply' : 'does not add up'}
              </span>
            }
          >
            <Bars
              rows={data.supply.classes.map(({ class: name, amount, description }) => ({
                name,
                amount,
                description,
              }))}
              whole={data.supply.total}
              shares
            />
          </Card>
          <OverTime />
          <ActivityCharts names={['net']} />
          <div className="split">
            <Card
              title="Totals since genesis"
              aside={
                <span className="chips">
                  <SaveAs name="flows" table={() => flowsOf(data.cumulativeTotals)} />
                </span>
              }
            >
              <Bars
                rows={data.cumulativeTotals.map(({ name, amount, description }) => ({
                  name: words(name.replaceAll('-', ' ')),
                  amount,
                  description,
                }))}
                whole={Math.max(1, ...data.cumulativeTotals.map(({ amount }) => amount))}
              />
            </Card>
            <div className="stack">
              <Card title="Faucet">
                <Facts>
                  <Fact name="Left today">
                    <Net unet={data.faucet.leftToday} />
                  </Fact>
                  <Fact name="Left in total">
                    <Net unet={data.faucet.left} short />
                  </Fact>
                  <Fact name="A newcomer gets">
                    <Net unet={data.faucet.policy.perNewcomer} />
                  </Fact>
                  <Fact name="One request">
                    <Net unet={data.faucet.policy.perRequest} /> at most
                  </Fact>
                </Facts>
              </Card>
              <Card title="Stake">
                <Facts>
                  <Fact name="Delegated">
                    <Net unet={data.staking.delegated} />
                  </Fact>
                  <Fact name="Bonds">
                    <Net unet={data.staking.bonds} />
                  </Fact>
                  <Fact name="Reward pool">
                    <Net unet={data.rewards.pool} short />
                  </Fact>
                  <Fact name="Slashed">
                    <Net unet={data.slashing.taken} />
                  </Fact>
                </Facts>
              </Card>
            </div>
          </div>
        </div>
      )}
    </Page>
  );
}

const flowsOf = (
  totals: readonly { name: string; amount: number; description: string }[],
): TableFile => ({
  names: ['flow', 'amount in unet since genesis', 'what it is'],
  rows: totals.map(({ name, amount, description }) => [name, amount, description]),
});

interface Row {
  name: string;
  amount: number;
  description: string;
}

function Bars({
  rows,
  whole,
  shares = false,
}: {
  rows: readonly Row[];
  whole: number;
  shares?: boolean;
}): ReactNode {
  return (
    <ul className="bars">
      {rows.map(({ name, amount, description }) => (
        <li key={name}>
          <span className="bar-name">
            <strong>{capitalized(name.replaceAll('-', ' '))}</strong>
            <span className="soft">{description}</span>
          </span>
          <span className="bar-amount">
            <Net unet={amount} />
            {shares && <span className="soft number"> {share(amount, whole)}</span>}
          </span>
          <svg viewBox="0 0 1000 4" preserveAspectRatio="none" aria-hidden="true">
            <rect className="bar-ground" width="1000" height="4" />
            <rect
              className={`class-${name}`}
              width={amount > 0 ? Math.max(3, (1_000 * amount) / whole) : 0}
              height="4"
            />
          </svg>
        </li>
      ))}
    </ul>
  );
}
