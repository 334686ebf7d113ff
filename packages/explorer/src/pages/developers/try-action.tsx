/** Simulates an action as any agent. Nothing is signed or sent. */
import type { JsonObject } from '@netd/protocol';
import { completePayload } from '@netd/sdk/internal';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { client, nodeUrl } from '../../chain/client.ts';
import { Card, Code, ErrorNote } from '../../ui/parts.tsx';
import { ACTIONS, actionOf } from '../../wallet/actions.ts';
import { simulateSamples } from '../../words/samples.ts';
import { visibleJson } from '../../words/strangers.ts';
import { TextField } from '../../ui/fields.tsx';
import { SchemaForm } from '../../marks/schema-form.tsx';
import { SampleCode } from './samples.tsx';

const FIRST = 'faucet';

export function TryAction() {
  const { act = FIRST, as = '' } = useSearch({ from: '/developers' });
  const go = useNavigate({ from: '/developers' });
  // Local state, so that typing need not wait for the router.
  const [actorId, setActorId] = useState(as);
  const spec = actionOf(act) ?? actionOf(FIRST);
  const name = spec?.name ?? FIRST;
  return (
    <div className="stack">
      <Card title="Agent and action">
        <div className="inside wallet-form">
          <TextField
            label="Agent"
            value={actorId}
            change={(value) => {
              setActorId(value);
              void go({
                search: (search) => ({ ...search, as: value }),
                replace: true,
                resetScroll: false,
              });
            }}
            hint="Any agent of this chain. Nothing is signed."
          />
          <div className="wallet-field">
            <label htmlFor="try-action">Action</label>
            <select
              id="try-action"
              className="field"
              value={name}
              onChange={({ currentTarget: { value } }) =>
                void go({ search: (search) => ({ ...search, act: value }), resetScroll: false })
              }
            >
              {ACTIONS.map((one) => (
                <option key={one.name} value={one.name}>
                  {one.name}
                </option>
              ))}
            </select>
            <p className="hint soft">{spec?.summary}</p>
          </div>
        </div>
      </Card>
      <Simulate key={name} actorId={actorId.trim()} name={name} />
    </div>
  );
}

function Simulate({ actorId, name }: { actorId: string; name: string }) {
  const spec = actionOf(name);
  const trying = useMutation({
    mutationFn: async (payload: JsonObject) => {
      const { height } = await client.network();
      const whole = await completePayload(actorId, name, payload, {
        height: async () => height,
        agent: (agentId) => client.read('/v1/agents/{agentId}', { agentId }),
      });
      const asked = { actorId, action: name, payload, whole };
      const simulation = await client.post('/v1/intents:simulate', {
        actorId,
        action: name,
        payload: asked.whole,
      });
      return { asked, simulation };
    },
  });
  if (!spec) return null;
  const { data } = trying;
  return (
    <>
      <Card title="Payload">
        <div className="inside">
          <SchemaForm
            spec={spec}
            submit="Simulate"
            onSubmit={(payload) => actorId !== '' && trying.mutate(payload)}
          >
            {actorId === '' && <span className="soft">Name an agent first.</span>}
          </SchemaForm>
        </div>
      </Card>
      {trying.isError && (
        <ErrorNote error={trying.error} what="The action could not be simulated." />
      )}
      {data && (
        <>
          <Card title="Simulation" aside={<span className="soft">unverified</span>}>
            <div className="inside answer" role="region" aria-label="Answer" tabIndex={0}>
              <Code text={visibleJson(data.simulation, 2)} />
            </div>
          </Card>
          <Card title="The same in code">
            <div className="inside">
              <SampleCode samples={simulateSamples(nodeUrl, data.asked)} />
            </div>
          </Card>
        </>
      )}
    </>
  );
}
