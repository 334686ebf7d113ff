import { speaksForNetwork } from '@netd/protocol';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { reading } from '../data/client.ts';
import { isReservedName, Sightings, type Kind } from '../words/look-alike.ts';
import { shortId } from '../words/ids.ts';
import { visibleLine } from '../words/strangers.ts';

const sightings = new Sightings();

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

/** @param name absent if the name is the id */
export function NameWarnings({ kind, id, name }: { kind: Kind; id: string; name?: string }) {
  const others = useOthers(kind, id, name);
  const [first] = others;
  return (
    <>
      {kind === 'agent' && speaksForNetwork(id) && <Reserved id={id} />}
      {first !== undefined && (
        <span
          className="alike"
          title={`Not the same as ${others.slice(0, 5).join(', ')}, which looks like it: ${ADVICE[kind]}.`}
        >
          {' '}
          looks like {shortId(first, 16)}
        </span>
      )}
    </>
  );
}

function Reserved({ id }: { id: string }) {
  const { data: network } = useQuery(reading('/v1/network', {}, 'held'));
  const { data: genesis } = useQuery(reading('/v1/genesis', {}, 'fixed'));
  if (!network || !genesis || !isReservedName(id, network, genesis)) return null;
  return (
    <span
      className="alike"
      title="It does not speak for the network: it took its name before such names were reserved."
    >
      {' '}
      unofficial
    </span>
  );
}

/** Isolates a text, and shows its invisible characters. */
export function Said({ text }: { text: string }) {
  return <bdi>{visibleLine(text)}</bdi>;
}
