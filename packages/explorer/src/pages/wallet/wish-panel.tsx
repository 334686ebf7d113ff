import { useRef, useState, type ReactNode } from 'react';
import { Card } from '../../ui/parts.tsx';
import type { Holder } from '../../wallet/holder.ts';
import { propose, type Fate, type Wish } from '../../wallet/signing.ts';
import { SignFlow } from './sign-flow.tsx';

export function WishPanel({
  holder,
  title,
  make,
  ready,
  close,
  note,
  children,
}: {
  holder: Holder;
  title: string;
  make: () => Promise<Wish>;
  ready: string;
  close: (fate: Fate | null) => void;
  note?: ReactNode;
  children: ReactNode;
}) {
  const [asked, setAsked] = useState(false);
  const [fault, setFault] = useState('');
  // Make it once per input, so that blobs are not stored or sealed again for each review.
  const made = useRef<Promise<Wish> | null>(null);
  const wish = (): Promise<Wish> => {
    made.current ??= make();
    made.current.catch(() => (made.current = null));
    return made.current;
  };
  return (
    <Card title={title} className="narrow">
      <div className="inside stack-small">
        {asked ? (
          <SignFlow
            holder={holder}
            make={async () => propose(holder, await wish())}
            note={note}
            back={() => setAsked(false)}
            done={(fate) => {
              setAsked(false);
              close(fate);
            }}
          />
        ) : (
          <form
            className="wallet-form"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              setFault(ready);
              if (ready !== '') return;
              made.current = null;
              setAsked(true);
            }}
          >
            {children}
            <p className="field-fault" role="alert">
              {fault}
            </p>
            <p className="chips">
              <button type="submit" className="button primary">
                Review
              </button>
              <button type="button" className="button" onClick={() => close(null)}>
                Back
              </button>
            </p>
          </form>
        )}
      </div>
    </Card>
  );
}
