import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { NetError } from '@netd/sdk/core';
import { WALLET_TABS } from '../../chain/filters.ts';
import { reading } from '../../chain/client.ts';
import { Face } from '../../marks/names.tsx';
import { ErrorNote, Page, SkeletonCard } from '../../ui/parts.tsx';
import { lock, useHolder, type Holder } from '../../wallet/holder.ts';
import '../../styles/wallet.css';
import { Account } from './account.tsx';
import { AllActions } from './all-actions.tsx';
import { ActPanel } from './act-panel.tsx';
import { BeFound } from './be-found.tsx';
import { DueNotice } from './due-notice.tsx';
import { Gate } from './gate.tsx';
import { DeleteKey } from './kept-keys.tsx';
import { KeyTab } from './key-tab.tsx';
import { Messages } from './messages.tsx';
import { OpenActs, useActs } from './open-acts.tsx';
import { Register } from './register.tsx';
import { Sessions } from './sessions.tsx';
import { WorkTab } from './work-tab.tsx';

const TAB_NAMES: Record<(typeof WALLET_TABS)[number], string> = {
  account: 'Account',
  work: 'Work',
  messages: 'Messages',
  sessions: 'Sessions',
  actions: 'All actions',
  key: 'Key',
};

export function WalletPage() {
  const holder = useHolder();
  return holder ? <Open holder={holder} /> : <Gate />;
}

function Open({ holder }: { holder: Holder }) {
  const { actorId } = holder;
  const agent = useQuery(reading('/v1/agents/{agentId}', { agentId: actorId }));
  const isMissing = agent.error instanceof NetError && agent.error.status === 404;
  const account = useQuery({
    ...reading('/v1/accounts/{accountId}', { accountId: actorId }),
    enabled: isMissing,
    retry: false,
  });
  // Operators have an account, but are not agents.
  const isStranger = isMissing && account.error instanceof NetError && account.error.status === 404;
  const read = isMissing ? account : agent;
  // Stays true in an outage, which must not discard what a person types.
  const isKnown = agent.data !== undefined || account.data !== undefined;
  const acts = useActs(holder);
  const [openedAt] = useState(() => Date.now());
  const isChanging =
    agent.isFetching ||
    acts.some(
      ({ state, signedAt, envelope }) =>
        signedAt > openedAt && state !== 'refused' && envelope['action'] === 'rotateAgentKey',
    );
  const told = agent.data?.authority.publicKeyHash;
  const isOther = told !== undefined && told !== holder.signing.publicKeyHash && !isChanging;
  // Stays true until the person has seen the outcome.
  const [joining, setJoining] = useState(false);
  useEffect(() => {
    if (isStranger) setJoining(true);
  }, [isStranger]);
  return (
    <Page
      title="Wallet"
      heading={
        <div className="titled">
          <Face id={actorId} size={44} />
          <div>
            <h1>{actorId}</h1>
            <p className="soft">on {holder.chainId}, open in this tab only</p>
          </div>
        </div>
      }
      aside={
        <button type="button" className="button" onClick={lock}>
          Lock
        </button>
      }
    >
      <div className="stack">
        <OpenActs holder={holder} />
        {joining ? (
          <Register holder={holder} done={() => setJoining(false)} />
        ) : isOther ? (
          <OtherKey holder={holder} />
        ) : isKnown ? (
          <>
            <DueNotice holder={holder} />
            <Tabs holder={holder} />
          </>
        ) : read.isError && !isStranger ? (
          <ErrorNote
            error={read.error}
            what="The agent of this key could not be read."
            retry={read.refetch}
          />
        ) : (
          <SkeletonCard lines={4} />
        )}
      </div>
    </Page>
  );
}

function OtherKey({ holder }: { holder: Holder }) {
  const { actorId } = holder;
  return (
    <div className="error-note" role="alert">
      <strong>The node names another key for {actorId}</strong>
      <p>
        Either the key was rotated, and this is the old file, or the name belongs to another agent.
        This key can do nothing here.
      </p>
      <p>
        <Link to="/agents/$agentId" params={{ agentId: actorId }} search={{ tab: 'identity' }}>
          The keys of {actorId} over time
        </Link>
      </p>
      <p className="chips">
        <DeleteKey holder={holder} />
      </p>
    </div>
  );
}

function Tabs({ holder }: { holder: Holder }) {
  const { tab = 'account', do: action, of } = useSearch({ from: '/wallet' });
  const navigate = useNavigate();
  if (action !== undefined) {
    const back = (): void =>
      void navigate({ to: '/wallet', search: tab === 'account' ? {} : { tab } });
    if (action === 'publishBeacon') return <BeFound holder={holder} close={back} />;
    return (
      <ActPanel key={`${action} ${of}`} holder={holder} action={action} of={of} close={back} />
    );
  }
  return (
    <>
      <div className="tabs wide" role="group" aria-label="Of the wallet">
        {WALLET_TABS.map((name) => (
          <Link
            key={name}
            to="/wallet"
            search={name === 'account' ? {} : { tab: name }}
            aria-current={tab === name ? 'page' : undefined}
            activeProps={{}}
            activeOptions={{ exact: true }}
            resetScroll={false}
          >
            {TAB_NAMES[name]}
          </Link>
        ))}
      </div>
      {tab === 'account' && <Account holder={holder} />}
      {tab === 'work' && <WorkTab key={of} holder={holder} of={of} />}
      {tab === 'messages' && <Messages key={of} holder={holder} of={of} />}
      {tab === 'sessions' && <Sessions holder={holder} />}
      {tab === 'actions' && <AllActions />}
      {tab === 'key' && <KeyTab holder={holder} />}
    </>
  );
}
