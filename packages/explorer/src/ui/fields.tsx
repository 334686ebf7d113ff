import { useId, type ReactNode } from 'react';
import { visible } from '../words/strangers.ts';

interface FieldProps {
  label: string;
  value: string;
  change: (value: string) => void;
  hint?: ReactNode;
}

export function TextField({
  label,
  value,
  change,
  hint,
  long = false,
  unit,
}: FieldProps & { long?: boolean; unit?: string }) {
  const id = useId();
  const common = {
    id,
    className: 'field',
    value,
    spellCheck: false,
    autoComplete: 'off',
    'aria-describedby': `${id}-hint`,
  } as const;
  return (
    <div className="wallet-field">
      <label htmlFor={id}>{label}</label>
      {long ? (
        <textarea {...common} onInput={({ currentTarget }) => change(currentTarget.value)} />
      ) : (
        <span className={unit === undefined ? undefined : 'with-unit'}>
          <input
            {...common}
            inputMode={unit === undefined ? undefined : 'decimal'}
            onInput={({ currentTarget }) => change(currentTarget.value)}
          />
          {unit !== undefined && <span className="soft">{unit}</span>}
        </span>
      )}
      <p id={`${id}-hint`} className="hint soft">
        {hint}
      </p>
    </div>
  );
}

export function PassphraseField({
  label,
  value,
  change,
  hint,
  autoComplete,
}: FieldProps & { autoComplete: 'new-password' | 'current-password' }) {
  const id = useId();
  return (
    <div className="wallet-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="password"
        className="field"
        value={value}
        autoComplete={autoComplete}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <p id={`${id}-hint`} className="hint soft">
        {hint}
      </p>
    </div>
  );
}

/** Isolates the text, so that it cannot change how its surroundings look. */
export function StrangersText({ text }: { text: string }) {
  return (
    <pre className="message-text">
      <bdi>{visible(text)}</bdi>
    </pre>
  );
}

/** Lets the person insist on an order that the wallet would refuse. */
export function InsistField({
  value,
  change,
}: {
  value: boolean;
  change: (value: boolean) => void;
}) {
  return (
    <label>
      <input type="checkbox" checked={value} onChange={({ target }) => change(target.checked)} />{' '}
      Offer it even if no verifiers could accept a result now (unverifiedAnyway)
    </label>
  );
}
