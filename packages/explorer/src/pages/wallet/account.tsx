import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { agreement, differences } from '../../data/agreement.ts';
import { reading } from '../../data/client.ts';
import { useProof } from '../../data/proofs.ts';
import { Actor, Height, Net, Time, TransitionLink } from '../../ui/names.tsx';
import { Card, Empty } from '../../ui/parts.tsx';
import { ProofBadge } from '../../ui/proof.tsx';
import type { Holder } from '../../wallet/holder.ts';
import { words } from '../../words/ids.ts';
import { useLaboratory, WorthNothing } from './laboratory.tsx';
import { useActs } from './open-acts.tsx';
import { textOf } from '../../wallet/json-text.ts';
import { TokensHeld } from '../tokens-held.tsx';

const SHOWN = 10;

export function Account({ holder }: { holder: Holder }) {
  const { actorId } = holder;
  const isLaboratory = useLaboratory();
  const account = useQuery(reading('/v1/accounts/{accountId}', { accountId: actorId }));
  const { data } = account;
  const proof = useProof('state', `account/${actorId}`, data?.height ?? 0);
  const now =
    proof.proven && data
      ? differences({ balance: data.balance }, proof.proven.value ?? { balance: 0 }, ['balance'])
      : [];
  const { standing, contradicts } = agreement(
    proof.standing,
    [],
    now,
    proof.proven?.height === data?.height,
  );
  const balance = data?.balance ?? 0;
  const stake = data?.stake;
  const unbonding = (stake?.unbondings ?? []).reduce((sum, { amount }) => sum + amount, 0);
  return (
    <div className="stack">
      {isLaboratory && <WorthNothing />}
      <div className="stats">
        <div className="stat">
          <span className="label">
            {isLaboratory ? 'Balance, worth nothing' : 'Balance, free to use'}
          </span>
          <span className="value">{account.isPending ? '…' : <Net unet={balance} />}</span>
          <ProofBadge
            standing={standing}
            what="the balance of your account"
            contradicts={contradicts}
            steps={['your account is in the state, by a Merkle proof']}
          />
        </div>
        <div className="stat">
          <span className="label">At stake</span>
          <span className="value">
            <Net unet={stake?.bonded ?? 0} short />
          </span>
          <span className="note">
            {isLaboratory ? 'worth nothing here, either' : 'with validators, or as your own bond'}
          </span>
        </div>
        <div className="stat">
          <span className="label">On its way back</span>
          <span className="value">
            <Net unet={unbonding} short />
          </span>
          <span className="note">after the waiting time</span>
        </div>
        <div className="stat">
          <span className="label">Drawn from the faucet</span>
          <span className="value">
            <Net unet={data?.faucetReceived ?? 0} short />
          </span>
          <span className="note">ever</span>
        </div>
      </div>
      <p className="chips wallet-acts">
        <Link to="/wallet" search={{ do: 'transfer' }} className="button primary">
          Send NET
        </Link>
        <Link to="/wallet" search={{ do: 'faucet' }} className="button">
          Draw test money
        </Link>
        <Link to="/wallet" search={{ do: 'publishBeacon' }} className="button">
          Be found
        </Link>
        <Link to="/wallet" search={{ do: 'delegate' }} className="button">
          Put at stake
        </Link>
        <Link to="/agents/$agentId" params={{ agentId: actorId }} className="button">
          As others see you
        </Link>
      </p>
      {(stake?.delegations ?? []).length > 0 && stake && (
        <Card title="At stake with">
          <ul className="inside stack-small">
            {stake.delegations.map(({ validatorId, worth }) => (
              <li key={validatorId} className="chips">
                <Actor id={validatorId} /> <Net unet={worth} />
                <Link
                  to="/wallet"
                  search={{ do: 'undelegate', of: validatorId }}
                  className="button"
                >
                  Take back
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <TokensHeld agentId={actorId} title="Tokens that you have" />
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
          Make one
        </Link>
        <Link to="/tokens" className="button">
          All there are
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
          What you sign is kept here before it is sent, so that a lost answer loses nothing.
        </Empty>
      ) : (
        <div className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th>What</th>
                <th>When</th>
                <th>What became of it</th>
                <th className="right">At</th>
              </tr>
            </thead>
            <tbody>
              {acts.slice(0, SHOWN).map(({ id, envelope, signedAt, state, receipt, refusal }) => (
                <tr key={id}>
                  <td>{words(textOf(envelope['action'] ?? 'joined'))}</td>
                  <td>
                    <Time at={signedAt} />
                  </td>
                  <td>
                    {state === 'committed' ? (
                      <TransitionLink hash={id} />
                    ) : state === 'refused' ? (
                      `refused: ${refusal}`
                    ) : (
                      'not known yet'
                    )}
                  </td>
                  <td className="right">{receipt && <Height at={receipt.height} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
