import { useId, useMemo, useState, type ReactNode } from 'react';
import type { JsonObject } from '@netd/protocol';
import type { ActionSpec } from '../wallet/actions.ts';
import { tokenDecimals } from '../chain/token-decimals.ts';
import {
  collect,
  fieldsOf,
  isLong,
  tokenOf,
  type Field,
  type Typed,
} from '../wallet/form-model.ts';
import { words } from '../words/ids.ts';

const LABELS: Readonly<Record<string, string>> = {
  'transfer to': 'To',
  'transfer memo': 'Memo, public',
  'faucet amount': 'Amount',
  'delegate validatorId': 'Validator',
  'undelegate validatorId': 'Validator',
  'extendAgentCapabilities actions': 'Actions to allow',
};

export function SchemaForm({
  spec,
  given = {},
  submit,
  onSubmit,
  children,
}: {
  spec: ActionSpec;
  given?: Typed;
  submit: string;
  onSubmit: (payload: JsonObject, typed: Typed) => void;
  children?: ReactNode;
}) {
  const fields = useMemo(() => fieldsOf(spec), [spec]);
  const [typed, setTyped] = useState<Typed>(given);
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const [isProving, setProving] = useState(false);
  const take = async (form: HTMLFormElement): Promise<void> => {
    let found = collect(spec, fields, typed);
    const tokenId = tokenOf(fields, typed);
    if (tokenId !== null && !found.faults.has('tokenId')) {
      setProving(true);
      try {
        found = collect(spec, fields, typed, await tokenDecimals(tokenId));
      } catch (error) {
        found = { payload: {}, faults: new Map([['tokenId', (error as Error).message]]) };
      } finally {
        setProving(false);
      }
    }
    setFaults(found.faults);
    const [first] = found.faults.keys();
    if (first === undefined) onSubmit(found.payload, typed);
    else form.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus();
  };
  const change = (path: string, text: string): void => {
    setTyped((before) => ({ ...before, [path]: text }));
    setFaults((before) => new Map([...before].filter(([at]) => at !== path)));
  };
  const control = (field: Field) => (
    <Control
      key={field.path}
      field={field}
      label={LABELS[`${spec.name} ${field.path}`] ?? field.label}
      text={typed[field.path] ?? ''}
      fault={faults.get(field.path)}
      change={change}
    />
  );
  const needed = fields.filter(({ isRequired }) => isRequired);
  const rest = fields.filter(({ isRequired }) => !isRequired);
  const isOpen =
    rest.length <= 2 || rest.some(({ path }) => (typed[path] ?? '') !== '' || faults.has(path));
  return (
    <form
      className="wallet-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void take(event.currentTarget);
      }}
    >
      {needed.map(control)}
      {rest.length > 0 &&
        (isOpen ? (
          rest.map(control)
        ) : (
          <details>
            <summary>Optional fields</summary>
            <div className="wallet-form">{rest.map(control)}</div>
          </details>
        ))}
      <p className="chips">
        <button type="submit" className="button primary" disabled={isProving}>
          {submit}
        </button>
        {children}
      </p>
    </form>
  );
}

function Control({
  field,
  label,
  text,
  fault,
  change,
}: {
  field: Field;
  label: string;
  text: string;
  fault: string | undefined;
  change: (path: string, text: string) => void;
}) {
  const id = useId();
  const { path, kind, hint, isRequired, options } = field;
  const common = {
    id,
    name: path,
    'aria-describedby': `${id}-hint`,
    'aria-invalid': fault !== undefined,
  };
  if (kind === 'choices') {
    return (
      <fieldset className="wallet-choices" aria-describedby={`${id}-hint`}>
        <legend>{label}</legend>
        <div className="choices">
          {options.map((option, at) => {
            const chosen = text.split(',').filter((one) => one !== '');
            return (
              <label key={option}>
                <input
                  type="checkbox"
                  name={at === 0 ? path : undefined}
                  checked={chosen.includes(option)}
                  onChange={({ currentTarget }) =>
                    change(
                      path,
                      (currentTarget.checked
                        ? [...chosen, option]
                        : chosen.filter((one) => one !== option)
                      ).join(','),
                    )
                  }
                />
                {words(option)}
              </label>
            );
          })}
        </div>
        <Hint id={id} hint={hint} fault={fault} />
      </fieldset>
    );
  }
  return (
    <div className="wallet-field">
      <label htmlFor={id}>
        {label}
        {!isRequired && <span className="soft"> (optional)</span>}
      </label>
      {kind === 'choice' ? (
        <select
          {...common}
          className="field"
          value={text}
          onChange={({ currentTarget }) => change(path, currentTarget.value)}
        >
          <option value="">{isRequired ? 'Choose…' : 'Not set'}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {words(option)}
            </option>
          ))}
        </select>
      ) : isLong(field) ? (
        <textarea
          {...common}
          className="field"
          value={text}
          onInput={({ currentTarget }) => change(path, currentTarget.value)}
        />
      ) : (
        <span className={kind === 'net' ? 'with-unit' : undefined}>
          <input
            {...common}
            className="field"
            value={text}
            inputMode={
              kind === 'net' || kind === 'token'
                ? 'decimal'
                : kind === 'integer'
                  ? 'numeric'
                  : undefined
            }
            autoComplete="off"
            spellCheck={false}
            onInput={({ currentTarget }) => change(path, currentTarget.value)}
          />
          {kind === 'net' && <span className="soft">NET</span>}
        </span>
      )}
      <Hint
        id={id}
        hint={kind === 'lines' ? `${hint} One per line.` : kind === 'net' ? hintOfNet(hint) : hint}
        fault={fault}
      />
    </div>
  );
}

const hintOfNet = (hint: string): string =>
  hint.startsWith('An amount in unet') ? '' : hint.replace(/,? in unet/i, '');

function Hint({ id, hint, fault }: { id: string; hint: string; fault: string | undefined }) {
  return (
    <p
      id={`${id}-hint`}
      className={fault === undefined ? 'hint soft' : 'hint field-fault'}
      role={fault === undefined ? undefined : 'alert'}
    >
      {fault ?? hint}
    </p>
  );
}
