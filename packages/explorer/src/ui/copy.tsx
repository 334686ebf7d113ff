import { useEffect, useState } from 'react';
import { Icon } from './icons.tsx';

/** @param name visible text of the button, which is an icon alone without it */
export function Copy({ text, what, name }: { text: string; what: string; name?: string }) {
  const [state, setState] = useState<'idle' | 'done' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), 1_600);
    return () => clearTimeout(timer);
  }, [state]);
  const label =
    state === 'done'
      ? 'Copied'
      : state === 'refused'
        ? 'Select it and copy it by hand'
        : `Copy the ${what}`;
  return (
    <button
      type="button"
      className={name === undefined ? 'copy' : 'button small copy-named'}
      title={label}
      aria-label={name === undefined ? label : undefined}
      onClick={() => {
        copy(text).then(
          () => setState('done'),
          () => setState('refused'),
        );
      }}
    >
      <Icon name={state === 'done' ? 'check' : state === 'refused' ? 'cross' : 'copy'} />
      {name !== undefined && (state === 'idle' ? name : label)}
    </button>
  );
}

/** @throws Error on plain http from other machines, where browsers have no clipboard */
async function copy(text: string): Promise<void> {
  if (!('clipboard' in navigator)) throw new Error('no clipboard');
  await navigator.clipboard.writeText(text);
}
