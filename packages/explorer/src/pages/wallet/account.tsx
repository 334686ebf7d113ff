import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { balanceAgreement } from '../../chain/agreement.ts';
import { reading } from '../../chain/client.ts';
import { chainTime } from '../../chain/clock.ts';
import { useProof } from '../../chain/proofs.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Actor, Height, Net, Time, TransitionLink } from '../../marks/names.tsx';
import { Card, Empty, Stat } from '../../ui/parts.tsx';
import { ProofBadge } from '../../marks/proof.tsx';
import type { Holder } from '../../wallet/holder.ts';
import { words } from '../../words/ids.ts';
import { useLaboratory, WorthNothing } from './laboratory.tsx';
import { useActs } from './open-acts.tsx';
import { textOf } from '../../wallet/json-text.ts';
import { TokensHeld } from '../../marks/tokens-held.tsx';

const SHOWN = 10;

const primaryIf = (isPrimary: boolean): string => (isPrimary ? 'button primary' : 'button');

export function Account({ holder }: { holder: Holder }) {
  const { actorId } = holder;
  const isLaboratory = useLaboratory();
  const account = useQuery(reading('/v1/accounts/{accountId}', { accountId: actorId }));
  const { data } = account;
  const proof = useProof('state', `account/${actorId}`, data?.height ?? 0);
  const { standing, contradicts, balance } = balanceAgreement(data, proof);
  const stake = data?.stake;
  const unbonding = (stake?.unbondings ?? []).reduce((sum, { amount }) => sum + amount, 0);
  return (
    <div className="stack">
      {isLaboratory && <WorthNothing />}
      <div className="stats">
        <div className="stat">
          <span className="label">
            {isLaboratory ? 'Balance, worth nothing' : 'Spendable balance'}
          </span>
          <span className="value">{balance === null ? '…' : <Net unet={balance} />}</span>
          <ProofBadge
            standing={standing}
            what="the balance of your account"
            contradicts={contradicts}
            steps={['a Merkle proof shows that the state contains your account']}
          />
        </div>
        <Stat
          label="At stake"
          value={<Net unet={stake?.bonded ?? 0} short />}
          note={
            isLaboratory ? 'worth nothing here' : 'with validators, or as your own bond; unverified'
          }
        />
        <Stat
          label="Being returned"
          value={<Net unet={unbonding} short />}
          note="spendable after the waiting time; unverified"
        />
        <Stat
          label="From the faucet"
          value={<Net unet={data?.faucetReceived ?? 0} short />}
          note="ever; unverified"
        />
      </div>
      <p className="chips wallet-acts">
        <Link
          to="/wallet"
          search={{ do: 'transfer' }}
          className={primaryIf(balance !== null && balance > 0)}
        >
          Send NET
        </Link>
        <Link to="/wallet" search={{ do: 'faucet' }} className={primaryIf(balance === 0)}>
          Get test NET
        </Link>
        <Link to="/wallet" search={{ do: 'publishBeacon' }} className="button">
          Go online
        </Link>
        <Link to="/wallet" search={{ do: 'delegate' }} className="button">
          Stake
        </Link>
        <Link to="/agents/$agentId" params={{ agentId: actorId }} className="button">
          Your public page
        </Link>
      </p>
      {(stake?.delegations ?? []).length > 0 && stake && (
        <Card title="Staked with">
          <ul className="inside stack-small">
            {stake.delegations.map(({ validatorId, worth }) => (
              <li key={validatorId} className="chips">
                <Actor id={validatorId} /> <Net unet={worth} />
                <Link
                  to="/wallet"
                  search={{ do: 'undelegate', of: validatorId }}
                  className="button"
                >
                  Unstake
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <TokensHeld agentId={actorId} title="Your tokens" />
      <Tokens />
      <Recent holder={holder} />
    </div>
  );
}

function Tokens() {
  return (
    <Card title="Tokens and NFTs">
      <p className="inside chips">
        <Link to="/wallet" search={{ do: 'transferToken' }} className="button">
          Send
        </Link>
        <Link to="/wallet" search={{ do: 'createToken' }} className="button">
          Create a token
        </Link>
        <Link to="/tokens" className="button">
          All tokens
        </Link>
      </p>
    </Card>
  );
}

function Recent({ holder }: { holder: Holder }) {
  const acts = useActs(holder);
  return (
    <Card title="Signed in this browser">
      {acts.length === 0 ? (
        <Empty title="Nothing yet">
          Each signed action is stored here before it is sent, so a lost answer loses nothing.
        </Empty>
      ) : (
        <DataTable name="acts">
          <thead>
            <tr>
              <th>Action</th>
              <th>When</th>
              <th>Outcome</th>
              <th className="right">At</th>
            </tr>
          </thead>
          <tbody>
            {acts.slice(0, SHOWN).map(({ id, envelope, signedAt, state, receipt, refusal }) => (
              <tr key={id}>
                <td>{words(textOf(envelope['action'] ?? 'joined'))}</td>
                <td>
                  <Time at={chainTime(signedAt)} />
                </td>
                <td>
                  {state === 'committed' ? (
                    <TransitionLink hash={id} />
                  ) : state === 'refused' ? (
                    `refused: ${refusal}`
                  ) : (
                    'not confirmed yet'
                  )}
                </td>
                <td className="right">{receipt && <Height at={receipt.height} />}</td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      )}
    </Card>
  );
}
