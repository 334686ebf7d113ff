import { useEffect, useState } from 'react';
import { Icon } from './icons.tsx';

export function Copy({ text, what }: { text: string; what: string }) {
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
      className="copy"
      title={label}
      aria-label={label}
      onClick={() => {
        copy(text).then(
          () => setState('done'),
          () => setState('refused'),
        );
      }}
    >
      <Icon name={state === 'done' ? 'check' : state === 'refused' ? 'cross' : 'copy'} />
    </button>
  );
}

/** @throws Error on plain http from other machines, where browsers have no clipboard */
async function copy(text: string): Promise<void> {
  if (!('clipboard' in navigator)) throw new Error('no clipboard');
  await navigator.clipboard.writeText(text);
}
