import { useState } from 'react';
import type { JsonObject } from '@netd/protocol';
import { Card, Empty } from '../../ui/parts.tsx';
import { actionOf, subjectOf } from '../../wallet/actions.ts';
import type { Typed } from '../../wallet/form-model.ts';
import type { Holder } from '../../wallet/holder.ts';
import { propose } from '../../wallet/signing.ts';
import { capitalized, words } from '../../words/ids.ts';
import { InsistField } from '../../ui/fields.tsx';
import { SchemaForm } from '../../marks/schema-form.tsx';
import { SignFlow } from './sign-flow.tsx';

/** In NET. */
const FIRST_MONEY = '100';

const TITLES: Readonly<Record<string, string>> = {
  transfer: 'Send NET',
  faucet: 'Get test NET',
  extendAgentCapabilities: 'Allow your key more actions',
  publishBeacon: 'Go online',
};

export function ActPanel({
  holder,
  action,
  of,
  close,
}: {
  holder: Holder;
  action: string;
  of: string | undefined;
  close: () => void;
}) {
  const spec = actionOf(action);
  const about = spec && subjectOf(spec);
  const [typed, setTyped] = useState<Typed>(
    about !== undefined && of !== undefined
      ? { [about]: of }
      : action === 'faucet'
        ? { amount: FIRST_MONEY }
        : {},
  );
  const [payload, setPayload] = useState<JsonObject | null>(null);
  const [anyway, setAnyway] = useState(false);
  if (!spec) {
    return (
      <div className="card">
        <Empty title="No action has this name">The tab “All actions” lists them all.</Empty>
      </div>
    );
  }
  return (
    <Card title={TITLES[action] ?? capitalized(words(action))} className="narrow">
      <div className="inside stack-small">
        {payload ? (
          <SignFlow
            holder={holder}
            make={() => propose(holder, { action, payload, anyway })}
            back={() => setPayload(null)}
            done={close}
          />
        ) : (
          <>
            <p className="soft">{spec.summary}</p>
            {action === 'createWorkOrder' ? (
              <InsistField value={anyway} change={setAnyway} />
            ) : null}
            <SchemaForm
              spec={spec}
              given={typed}
              submit="Review"
              onSubmit={(found, text) => {
                setTyped(text);
                setPayload(found);
              }}
            >
              <button type="button" className="button" onClick={close}>
                Back
              </button>
            </SchemaForm>
          </>
        )}
      </div>
    </Card>
  );
}
