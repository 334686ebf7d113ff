import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DocumentOf, SchemaOf } from '@netd/sdk/core';
import { useBlockTime } from '../../chain/block-time.ts';
import { reading } from '../../chain/client.ts';
import { useLiveHeight } from '../../chain/live.ts';
import { useHead, useProof, type Proof } from '../../chain/proofs.ts';
import { Said } from '../../ui/said.tsx';
import { Height, Net } from '../../marks/names.tsx';
import { Believed } from '../../marks/proof.tsx';
import { Card, Empty, Skeleton } from '../../ui/parts.tsx';
import type { Holder } from '../../wallet/holder.ts';
import type { KeyFile } from '../../wallet/key-files.ts';
import {
  actionsOf,
  EXPIRIES,
  expiryHeight,
  PRESETS,
  SESSION_ACTIONS,
  spendingOf,
  type Preset,
} from '../../wallet/session-presets.ts';
import { makeSession, type SessionDraft } from '../../wallet/sessions.ts';
import { propose, type Wish } from '../../wallet/signing.ts';
import { capitalized, words } from '../../words/ids.ts';
import { blocksWords } from '../../words/time.ts';
import { TextField } from '../../ui/fields.tsx';
import { SaveThenSign } from './save-then-sign.tsx';
import { SignFlow } from './sign-flow.tsx';

type Session = SchemaOf<'AgentSession'>;
type Doing = { what: 'granting' } | { what: 'revoking'; sessionId: string };

export function Sessions({ holder }: { holder: Holder }) {
  const agent = useQuery(reading('/v1/agents/{agentId}', { agentId: holder.actorId }));
  const sessions: readonly Session[] | undefined = agent.data?.sessions;
  const roster = useProof('state', `session-roster/${holder.actorId}`, agent.data?.height ?? 0);
  const [doing, setDoing] = useState<Doing | null>(null);
  const back = (): void => setDoing(null);
  if (doing?.what === 'granting') {
    const { capabilities = [] } = agent.data?.authority ?? {};
    return <Grant holder={holder} capabilities={capabilities} close={back} />;
  }
  if (doing) {
    const payload = { sessionId: doing.sessionId };
    return (
      <Card title="End a session" className="narrow">
        <div className="inside">
          <SignFlow
            holder={holder}
            make={() => propose(holder, { action: 'revokeSession', payload })}
            back={back}
            done={back}
          />
        </div>
      </Card>
    );
  }
  return (
    <Card
      title="Sessions"
      aside={
        <button type="button" className="button" onClick={() => setDoing({ what: 'granting' })}>
          Create a session key
        </button>
      }
    >
      {!sessions && <Skeleton lines={3} />}
      {sessions && <Hidden sessions={sessions} roster={roster} />}
      {sessions?.length === 0 && (
        <Empty title="No other key acts for you">
          A session key lets a program or a model act for you. It can do only the actions that you
          name, within a budget. You can end it at any time.
        </Empty>
      )}
      <ul className="inside message-list">
        {(sessions ?? []).map(({ sessionId, actions, budget, spent, expiresAtHeight, label }) => (
          <li key={sessionId}>
            <p className="chips">
              <strong>
                <Said text={label ?? sessionId} />
              </strong>
              {label !== null && <span className="soft mono">{sessionId}</span>}
            </p>
            <p>
              <label>
                <Net unet={spent} /> of <Net unet={budget} /> spent{' '}
                <meter min={0} max={Math.max(1, budget)} value={spent} />
              </label>
            </p>
            <p className="soft">
              {actions.map((action) => words(action)).join(', ')}; until{' '}
              <Ends at={expiresAtHeight} />
            </p>
            <p>
              <button
                type="button"
                className="button"
                onClick={() => setDoing({ what: 'revoking', sessionId })}
              >
                End it now
                <span className="hidden-text">
                  {' '}
                  <Said text={label ?? sessionId} />
                </span>
              </button>
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Says which sessions the node does not list, although the chain proves them. */
function Hidden({ sessions, roster }: { sessions: readonly Session[]; roster: Proof<'state'> }) {
  const { standing, proven } = roster;
  if (standing.standing === 'proving') return null;
  if (standing.standing !== 'proven' || !proven)
    return (
      <p className="inside soft">
        <Believed /> The node does not prove that this list is complete.
      </p>
    );
  const { sessionIds } = (proven.value ?? { sessionIds: [] }) as { sessionIds: string[] };
  const hidden = sessionIds.filter((id) => !sessions.some(({ sessionId }) => sessionId === id));
  return hidden.length === 0 ? null : (
    <p className="error-note" role="alert">
      <strong>The node does not list every key that acts for you.</strong> The state of block{' '}
      <Height at={proven.height} /> has also <Said text={hidden.join(', ')} />. This list may be a
      block old; if that does not change, use another node.
    </p>
  );
}

function Ends({ at }: { at: number }) {
  const left = at - useLiveHeight();
  const time = blocksWords(left, useBlockTime());
  return (
    <>
      <Height at={at} />, {left > 0 ? `in ${time}` : 'which has passed'}
    </>
  );
}

type Capability = Pick<
  DocumentOf<'/v1/agents/{agentId}'>['authority']['capabilities'][number],
  'action'
>;

function Grant({
  holder,
  capabilities,
  close,
}: {
  holder: Holder;
  capabilities: readonly Capability[];
  close: () => void;
}) {
  const [made, setMade] = useState<{ file: KeyFile; wish: Wish; draft: SessionDraft } | null>(null);
  const [draft, setDraft] = useState(EMPTY);
  if (!made) return <GrantForm {...{ holder, capabilities, close, draft, setDraft, setMade }} />;
  return (
    <Card title="Create a session key" className="narrow">
      <div className="inside stack-small">
        <SaveThenSign
          files={[made.file]}
          holder={holder}
          make={() => propose(holder, made.wish)}
          note={<Bounds draft={made.draft} />}
          back={() => setMade(null)}
          done={close}
        >
          This is the session key. It is not encrypted, so give it only to the program that will use
          it. It can do nothing until you sign.
        </SaveThenSign>
      </div>
    </Card>
  );
}

const EMPTY = {
  preset: 'earn' as Preset,
  chosen: [] as readonly string[],
  budget: '0',
  each: '',
  expiry: '1 day' as keyof typeof EXPIRIES,
  label: '',
};

function Bounds({ draft: { expiresAtHeight, label } }: { draft: SessionDraft }) {
  const height = useHead().proven?.height ?? 0;
  const time = blocksWords(Math.max(0, expiresAtHeight - height), useBlockTime());
  return (
    <ul className="stakes">
      <li>
        It expires after <Height at={expiresAtHeight} />: in {time}. It lasts longer if the network
        is idle, because blocks are then rare.
      </li>
      {label !== '' && (
        <li>
          Its public label is “
          <Said text={label} />
          ”.
        </li>
      )}
    </ul>
  );
}

function GrantForm({
  holder,
  capabilities,
  close,
  draft,
  setDraft,
  setMade,
}: {
  holder: Holder;
  capabilities: readonly Capability[];
  close: () => void;
  draft: typeof EMPTY;
  setDraft: (draft: typeof EMPTY) => void;
  setMade: (made: { file: KeyFile; wish: Wish; draft: SessionDraft }) => void;
}) {
  const [fault, setFault] = useState('');
  // A node could name a far higher one, so that the session would hardly ever expire.
  const height = useHead().proven?.height;
  const blockTimeMs = useBlockTime();
  const held = capabilities.map(({ action }) => action);
  const change = (next: Partial<typeof EMPTY>): void => setDraft({ ...draft, ...next });
  const actions = draft.preset === 'own' ? draft.chosen : actionsOf(draft.preset, held);
  const prepare = (): void => {
    if (height === undefined)
      return setFault('The node has not proven its newest block yet. Try again in a moment.');
    if (actions.length === 0) return setFault('Choose at least one action.');
    let spending;
    try {
      spending = spendingOf(draft.preset, draft);
    } catch (error) {
      return setFault((error as RangeError).message);
    }
    setFault('');
    const bounds: SessionDraft = {
      actions,
      ...spending,
      expiresAtHeight: expiryHeight(height, EXPIRIES[draft.expiry], blockTimeMs),
      label: draft.label.trim(),
    };
    void makeSession(holder, bounds).then((session) => setMade({ ...session, draft: bounds }));
  };
  return (
    <Card title="Create a session key" className="narrow">
      <form
        className="inside wallet-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          prepare();
        }}
      >
        <Presets preset={draft.preset} choose={(preset) => change({ preset })} />
        {draft.preset === 'own' ? (
          <Choices held={held} chosen={draft.chosen} choose={(chosen) => change({ chosen })} />
        ) : (
          <p className="soft">{capitalized(actions.map(words).join(', '))}.</p>
        )}
        <TextField
          label="Budget"
          value={draft.budget}
          change={(budget) => change({ budget })}
          unit="NET"
          hint="The most that this key can ever spend from your account. 0 if it spends nothing."
        />
        <div className="wallet-field">
          <label htmlFor="session-expiry">Expires in</label>
          <select
            id="session-expiry"
            className="field"
            value={draft.expiry}
            onChange={({ currentTarget }) =>
              change({ expiry: currentTarget.value as keyof typeof EXPIRIES })
            }
          >
            {Object.keys(EXPIRIES).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
        <TextField
          label="Limit per action"
          value={draft.each}
          change={(each) => change({ each })}
          unit="NET"
          hint="Optional."
        />
        <TextField
          label="Label"
          value={draft.label}
          change={(label) => change({ label: label.slice(0, LONGEST_LABEL) })}
          hint="Public, and optional."
        />
        <p className="field-fault" role="alert">
          {fault}
        </p>
        <p className="chips">
          <button type="submit" className="button primary">
            Create the key
          </button>
          <button type="button" className="button" onClick={close}>
            Back
          </button>
        </p>
      </form>
    </Card>
  );
}

const LONGEST_LABEL = 280;

function Presets({ preset, choose }: { preset: Preset; choose: (preset: Preset) => void }) {
  return (
    <fieldset className="wallet-choices">
      <legend>Allowed actions</legend>
      <div className="choices">
        {(Object.keys(PRESETS) as Preset[]).map((name) => (
          <label key={name}>
            <input
              type="radio"
              name="preset"
              checked={preset === name}
              onChange={() => choose(name)}
            />
            {PRESETS[name].name}
          </label>
        ))}
      </div>
      <p className="hint soft">{PRESETS[preset].hint}</p>
    </fieldset>
  );
}

function Choices({
  held,
  chosen,
  choose,
}: {
  held: readonly string[];
  chosen: readonly string[];
  choose: (chosen: readonly string[]) => void;
}) {
  return (
    <fieldset className="wallet-choices">
      <legend>Actions that your own key may do</legend>
      <div className="choices">
        {SESSION_ACTIONS.filter((name) => held.includes(name)).map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={({ currentTarget }) =>
                choose(
                  currentTarget.checked
                    ? [...chosen, name]
                    : chosen.filter((other) => other !== name),
                )
              }
            />
            {words(name)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
