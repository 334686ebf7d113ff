import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SchemaOf } from '@netd/sdk/core';
import type { JsonObject } from '@netd/protocol';
import { reading } from '../../data/client.ts';
import { Said } from '../../ui/likeness.tsx';
import { Height, Net } from '../../ui/names.tsx';
import { Card, Empty, Skeleton } from '../../ui/parts.tsx';
import { actionOf, type ActionSpec } from '../../wallet/actions.ts';
import type { Holder } from '../../wallet/holder.ts';
import type { KeyFile } from '../../wallet/key-files.ts';
import { makeSession } from '../../wallet/sessions.ts';
import { propose, type Wish } from '../../wallet/signing.ts';
import { words } from '../../words/ids.ts';
import { SaveThenSign } from './save-then-sign.tsx';
import { SchemaForm } from './schema-form.tsx';
import { SignFlow } from './sign-flow.tsx';

type Session = SchemaOf<'AgentSession'>;
type Doing = { what: 'granting' } | { what: 'revoking'; sessionId: string };

export function Sessions({ holder }: { holder: Holder }) {
  const agent = useQuery(reading('/v1/agents/{agentId}', { agentId: holder.actorId }));
  const sessions: readonly Session[] | undefined = agent.data?.sessions;
  const [doing, setDoing] = useState<Doing | null>(null);
  const back = (): void => setDoing(null);
  if (doing?.what === 'granting') return <Grant holder={holder} close={back} />;
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
          Lend a key
        </button>
      }
    >
      {!sessions && <Skeleton lines={3} />}
      {sessions?.length === 0 && (
        <Empty title="No other key acts for you">
          A session is a key with a budget, for a program or a model: it does only what you name,
          never touches your own key, and you can end it at any time.
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
              <Height at={expiresAtHeight} />
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

const MADE_HERE = new Set([
  'agentId',
  'sessionId',
  'publicKey',
  'publicKeyHash',
  'sessionKeySignature',
]);

function grantSpec(): ActionSpec | null {
  const spec = actionOf('grantSession');
  if (!spec) return null;
  const { properties = {}, required = [] } = spec.payload;
  return {
    ...spec,
    payload: {
      ...spec.payload,
      properties: Object.fromEntries(
        Object.entries(properties).filter(([name]) => !MADE_HERE.has(name)),
      ),
      required: required.filter((name) => !MADE_HERE.has(name)),
    },
  };
}
const GRANT = grantSpec();

function Grant({ holder, close }: { holder: Holder; close: () => void }) {
  const [made, setMade] = useState<{ file: KeyFile; wish: Wish } | null>(null);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  if (!GRANT) return null;
  const prepare = (payload: JsonObject, text: Readonly<Record<string, string>>): void => {
    setTyped(text);
    const { actions, budget, maxAmount = null, label = '' } = payload;
    void makeSession(holder, {
      actions: actions as string[],
      budget: Number(budget),
      maxAmount: maxAmount === null ? null : Number(maxAmount),
      label: typeof label === 'string' ? label : '',
    }).then(setMade);
  };
  return (
    <Card title="Lend a key" className="narrow">
      <div className="inside stack-small">
        {!made ? (
          <SchemaForm spec={GRANT} given={typed} submit="Make the key" onSubmit={prepare}>
            <button type="button" className="button" onClick={close}>
              Back
            </button>
          </SchemaForm>
        ) : (
          <SaveThenSign
            files={[made.file]}
            holder={holder}
            make={() => propose(holder, made.wish)}
            back={() => setMade(null)}
            done={close}
          >
            This is the key to lend. It is not sealed: bring it to the program that is to use it,
            and nowhere else. It can do nothing until you sign.
          </SaveThenSign>
        )}
      </div>
    </Card>
  );
}
