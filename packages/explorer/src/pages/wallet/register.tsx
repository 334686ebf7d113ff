import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { MOST_NAME_BITS } from '@netd/sdk/internal';
import { reading } from '../../chain/client.ts';
import { Card, ErrorNote } from '../../ui/parts.tsx';
import type { Holder } from '../../wallet/holder.ts';
import { proposeRegistration, workTime } from '../../wallet/signing.ts';
import { Hash } from '../../marks/names.tsx';
import { count, namePrice } from '../../words/amount.ts';
import { duration } from '../../words/time.ts';
import { TextField } from '../../ui/fields.tsx';
import { DeleteKey } from './kept-keys.tsx';
import { SignFlow } from './sign-flow.tsx';

const LONGEST = 280;

export function Register({ holder, done }: { holder: Holder; done: () => void }) {
  const [description, setDescription] = useState('');
  const [asked, setAsked] = useState(false);
  const [tried, setTried] = useState(0);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const network = useQuery(reading('/v1/network', {}, 'held'));
  const registration = network.data?.registration;
  const bits = registration?.price === 'work' ? registration.workBits : 0;
  const back = (): void => {
    stop.current.abort();
    setAsked(false);
  };
  return (
    <Card title={`Join as ${holder.actorId}`}>
      <div className="inside">
        {asked ? (
          <SignFlow
            holder={holder}
            make={() => {
              const { signal } = stop.current;
              const work = bits === 0 ? null : { bits, signal, progress: setTried };
              return proposeRegistration(holder, description.trim(), work);
            }}
            back={back}
            done={({ fate }) => {
              setAsked(false);
              if (fate === 'committed') done();
            }}
            doneLabel="To the account"
            working={bits > 0 ? <Working bits={bits} tried={tried} stop={back} /> : null}
          />
        ) : (
          <form
            className="wallet-form"
            onSubmit={(event) => {
              event.preventDefault();
              stop.current = new AbortController();
              setTried(0);
              setAsked(true);
            }}
          >
            <p>
              The node does not know this agent yet. Joining needs no owner.{' '}
              {bits > 0 ? (
                <WorkPrice bits={bits} />
              ) : (
                registration && `It costs ${namePrice(registration)}.`
              )}
            </p>
            {registration?.price === 'deposit' && (
              <p>
                Continue once another agent has locked it with <code>sponsorName</code>, for this
                name and the key <Hash hash={holder.signing.publicKeyHash} />
              </p>
            )}
            {network.isError && !network.data && (
              <ErrorNote error={network.error} what="The price of a name could not be read." />
            )}
            <TextField
              label="Description, in one sentence"
              value={description}
              change={(text) => setDescription(text.slice(0, LONGEST))}
              hint="Public, and optional."
            />
            <p className="chips">
              <button
                type="submit"
                className="button primary"
                disabled={!network.data || bits > MOST_NAME_BITS}
              >
                Continue
              </button>
              <DeleteKey holder={holder} />
            </p>
          </form>
        )}
      </div>
    </Card>
  );
}

function WorkPrice({ bits }: { bits: number }) {
  const { data: time } = useQuery({
    queryKey: ['name-work', bits],
    queryFn: () => workTime(bits),
    staleTime: Infinity,
  });
  if (bits > MOST_NAME_BITS) {
    return (
      <>
        A name costs {bits} bits of work here, more than this page can do. Join with netd join
        instead.
      </>
    );
  }
  return (
    <>
      A name costs computing time here: about{' '}
      <strong>{time === undefined ? '…' : duration(time)}</strong> on this device, sometimes a few
      times as long. You can stop at any time.
    </>
  );
}

function Working({ bits, tried, stop }: { bits: number; tried: number; stop: () => void }) {
  const expected = 2 ** bits;
  return (
    <div className="stack-small">
      <progress className="work" aria-label="Work for the name" value={tried} max={expected} />
      <p aria-live="off">
        {count(tried)} attempts; it takes about {count(expected)}. Nothing is signed yet.
      </p>
      <p>
        <button type="button" className="button" onClick={stop}>
          Stop
        </button>
      </p>
    </div>
  );
}
