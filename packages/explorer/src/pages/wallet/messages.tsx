import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MessageFacts } from '@netd/sdk/internal';
import { reading } from '../../chain/client.ts';
import { Actor, When } from '../../marks/names.tsx';
import { Card, Empty, ErrorNote, Skeleton } from '../../ui/parts.tsx';
import type { Holder } from '../../wallet/holder.ts';
import { usePaused } from '../../ui/paused.ts';
import { StoresNotice } from '../../marks/stores-notice.tsx';
import { AGENT_NAME } from '../../wallet/key-files.ts';
import { reachWarnings } from '../../wallet/reach.ts';
import { readMessage, wishToConfirm, wishToSend } from '../../wallet/stores.ts';
import { propose } from '../../wallet/signing.ts';
import { words } from '../../words/ids.ts';
import { StrangersText, TextField } from '../../ui/fields.tsx';
import { SignFlow } from './sign-flow.tsx';
import { WishPanel } from './wish-panel.tsx';

type Doing =
  | { what: 'writing'; to: string; answers: MessageFacts | null }
  | { what: 'confirming'; facts: MessageFacts };

export function Messages({ holder, of }: { holder: Holder; of: string | undefined }) {
  const { actorId } = holder;
  const list = useQuery(reading('/v1/agent-messages', { agentId: actorId, limit: 50 }));
  const messages = list.data?.messages;
  const [doing, setDoing] = useState<Doing | null>(
    of === undefined ? null : { what: 'writing', to: of, answers: null },
  );
  if (doing?.what === 'writing') {
    return (
      <Write holder={holder} to={doing.to} answers={doing.answers} close={() => setDoing(null)} />
    );
  }
  if (doing) {
    return (
      <Card title="Confirm a message" className="narrow">
        <div className="inside">
          <SignFlow
            holder={holder}
            make={() => propose(holder, wishToConfirm(holder, doing.facts))}
            back={() => setDoing(null)}
            done={() => setDoing(null)}
          />
        </div>
      </Card>
    );
  }
  return (
    <div className="stack">
      <StoresNotice locks />
      <Card
        title="Messages"
        aside={
          <button
            type="button"
            className="button"
            onClick={() => setDoing({ what: 'writing', to: '', answers: null })}
          >
            Write a message
          </button>
        }
      >
        {list.isError && !messages && (
          <ErrorNote error={list.error} what="The messages could not be read." />
        )}
        {!messages && list.isPending && <Skeleton lines={4} />}
        {messages?.length === 0 && (
          <Empty title="The node lists no message">
            Agents that are online can message each other. Go online to receive messages.
          </Empty>
        )}
        <ul className="inside message-list">
          {(messages ?? []).map((facts) => (
            <OneMessage
              key={facts.messageId}
              holder={holder}
              facts={facts}
              answer={() => setDoing({ what: 'writing', to: facts.fromAgentId, answers: facts })}
              confirm={() => setDoing({ what: 'confirming', facts })}
            />
          ))}
        </ul>
      </Card>
    </div>
  );
}

function OneMessage({
  holder,
  facts,
  answer,
  confirm,
}: {
  holder: Holder;
  facts: MessageFacts;
  answer: () => void;
  confirm: () => void;
}) {
  const { actorId } = holder;
  const [text, setText] = useState<string | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const isMine = facts.fromAgentId === actorId;
  return (
    <li>
      <p className="chips">
        {isMine ? 'to' : 'from'} <Actor id={isMine ? facts.toAgentId : facts.fromAgentId} />
        <When at={facts.sentAt.height} />
        <span className="chip">{facts.expired ? 'not read in time' : words(facts.status)}</span>
      </p>
      {text !== null && (
        <>
          <StrangersText text={text} />
          <p className="soft">
            Decrypted here. The chain proves that {isMine ? 'you' : 'its sender'} committed to it.
          </p>
        </>
      )}
      {fault !== null && <ErrorNote error={fault} what={(fault as Error).message} />}
      <p className="chips">
        {text === null && (
          <button
            type="button"
            className="button"
            disabled={busy || holder.encryption === null}
            onClick={() => {
              setBusy(true);
              readMessage(holder, facts)
                .then(setText, setFault)
                .finally(() => setBusy(false));
            }}
          >
            {busy ? 'Opening…' : 'Open'}
          </button>
        )}
        {!isMine && text !== null && facts.status === 'PENDING' && !facts.expired && (
          <button type="button" className="button" onClick={confirm}>
            Confirm receipt
          </button>
        )}
        {!isMine && text !== null && (
          <button type="button" className="button" onClick={answer}>
            Answer
          </button>
        )}
      </p>
    </li>
  );
}

function useReach(from: string, to: string): string[] {
  const own = useQuery(reading('/v1/discovery', { agentId: from }));
  const other = useQuery({
    ...reading('/v1/discovery', { agentId: to }),
    enabled: AGENT_NAME.test(to),
  });
  return reachWarnings({ from, to }, own.data?.beacons, other.data?.beacons);
}

function Write({
  holder,
  to: first,
  answers,
  close,
}: {
  holder: Holder;
  to: string;
  answers: MessageFacts | null;
  close: () => void;
}) {
  const [to, setTo] = useState(first);
  const [text, setText] = useState('');
  const warnings = useReach(holder.actorId, usePaused(to.trim()));
  return (
    <div className="stack">
      <StoresNotice locks />
      <WishPanel
        holder={holder}
        title={answers ? `Answer ${first}` : 'Write a message'}
        ready={to.trim() === '' ? 'Name the recipient.' : text === '' ? 'Write something.' : ''}
        make={() => wishToSend(holder, { to: to.trim(), text, answers })}
        close={close}
      >
        {!answers && <TextField label="To" value={to} change={setTo} />}
        <TextField
          label="Message"
          value={text}
          change={setText}
          long
          hint="Encrypted in this page. Only the recipient and you can open it."
        />
        {warnings.map((warning) => (
          <p key={warning} className="field-fault" role="alert">
            {warning}
          </p>
        ))}
      </WishPanel>
    </div>
  );
}
