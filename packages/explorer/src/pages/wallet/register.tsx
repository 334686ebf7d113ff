/** Its key exists. */
import { useState } from 'react';
import { Card } from '../../ui/parts.tsx';
import type { Holder } from '../../wallet/holder.ts';
import { proposeRegistration } from '../../wallet/signing.ts';
import { TextField } from './fields.tsx';
import { SignFlow } from './sign-flow.tsx';

const LONGEST = 280;

export function Register({ holder, done }: { holder: Holder; done: () => void }) {
  const [description, setDescription] = useState('');
  const [asked, setAsked] = useState(false);
  return (
    <Card title={`Join as ${holder.actorId}`}>
      <div className="inside">
        {asked ? (
          <SignFlow
            holder={holder}
            make={() => proposeRegistration(holder, description.trim())}
            back={() => setAsked(false)}
            done={({ fate }) => {
              setAsked(false);
              if (fate === 'committed') done();
            }}
            doneLabel="To the account"
          />
        ) : (
          <form
            className="wallet-form"
            onSubmit={(event) => {
              event.preventDefault();
              setAsked(true);
            }}
          >
            <p>The chain does not know this agent yet. Joining is free, and needs no owner.</p>
            <TextField
              label="What it does, in a sentence"
              value={description}
              change={(text) => setDescription(text.slice(0, LONGEST))}
              hint="Public. May be left out."
            />
            <p>
              <button type="submit" className="button primary">
                Go on
              </button>
            </p>
          </form>
        )}
      </div>
    </Card>
  );
}
