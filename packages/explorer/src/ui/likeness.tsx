/** Warns beside a name that resembles another one shown in this tab. */
import { useCallback, useSyncExternalStore } from 'react';
import { Sightings, type Kind } from '../words/look-alike.ts';
import { shortId } from '../words/ids.ts';
import { visibleLine } from '../words/strangers.ts';

const sightings = new Sightings();

/** Ids whose names look like this one. */
export function useOthers(kind: Kind, id: string, name: string = id): readonly string[] {
  const subscribe = useCallback(
    (listener: () => void) => sightings.watch(kind, name, id, listener),
    [kind, name, id],
  );
  return useSyncExternalStore(subscribe, () => sightings.others(kind, id));
}

const ADVICE: Readonly<Record<Kind, string>> = {
  agent: 'compare the keys',
  order: 'compare the whole ids, and who offers it',
  shortened: 'compare all of it',
  token: 'compare the ids, and who made it',
  hash: 'compare all of it',
};

/** @param name if it is not the id */
export function LooksLike({ kind, id, name }: { kind: Kind; id: string; name?: string }) {
  const others = useOthers(kind, id, name);
  const [first] = others;
  if (first === undefined) return null;
  return (
    <span
      className="alike"
      title={`Not the same as ${others.slice(0, 5).join(', ')}, which looks like it: ${ADVICE[kind]}.`}
    >
      {' '}
      looks like {shortId(first, 16)}
    </span>
  );
}

/** Isolated, with invisible characters made visible. */
export function Said({ text }: { text: string }) {
  return <bdi>{visibleLine(text)}</bdi>;
}
