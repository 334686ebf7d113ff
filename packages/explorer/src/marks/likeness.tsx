import { speaksForNetwork } from '@netd/protocol';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { reading } from '../chain/client.ts';
import {
  beginningsAlike,
  isReservedName,
  olderOf,
  Sightings,
  type Born,
  type Kind,
} from '../words/look-alike.ts';
import { shortId } from '../words/ids.ts';

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
  order: 'compare the whole ids and the requesters',
  shortened: 'compare every character',
  token: 'compare the ids and the creators',
  symbol: 'compare the ids and the creators',
  hash: 'compare every character',
};

/** Collections of records that have an age. A hash has none. */
const RECORDS: Partial<Record<Kind, string>> = {
  agent: 'agent',
  order: 'order',
  token: 'token',
  symbol: 'token',
};

/** Asks only once two names look alike. Reads proofs, because the browser logs a 404 as an error. */
function useOlder(kind: Kind, id: string, others: readonly string[]): readonly string[] {
  const collection = RECORDS[kind];
  const asked = collection === undefined || others.length === 0 ? [] : [id, ...others];
  const born = useQueries({
    queries: asked.map((one) => ({
      ...reading('/v1/state/proof', { key: `${collection}/${one}` }, 'fixed'),
      select: ({ value }: { value: unknown }): Born => {
        const record = value as { registeredAt?: Born; createdAt?: Born } | null;
        return record?.registeredAt ?? record?.createdAt ?? null;
      },
    })),
    combine: (answers) => answers.map(({ data }) => data),
  });
  if (collection === undefined) return others;
  return olderOf(
    born[0],
    others.map((other, at) => [other, born[at + 1]] as const),
  );
}

/** @param name absent if the name is the id */
export function NameWarnings({ kind, id, name }: { kind: Kind; id: string; name?: string }) {
  const older = useOlder(kind, id, useOthers(kind, id, name));
  const [first] = older;
  return (
    <>
      {kind === 'agent' && speaksForNetwork(id) && <Reserved id={id} />}
      {first !== undefined && (
        <span
          className="alike"
          title={`Not the same as ${older.slice(0, 5).join(', ')}, which looks like it: ${ADVICE[kind]}.`}
        >
          {' '}
          looks like {shortId(first, 16)}
        </span>
      )}
    </>
  );
}

/** Reads the names that may look like this one, so that its own page marks it. */
export function useLookalikes(id: string): void {
  const lists = useQueries({
    queries: beginningsAlike(id).map((prefix) =>
      reading('/v1/agents', { prefix, limit: 100 }, 'held'),
    ),
    combine: namesOf,
  });
  useEffect(() => {
    for (const name of lists.split(' ')) {
      if (name !== '') sightings.watch('agent', name, name, () => {})();
    }
  }, [lists]);
}

/** Returns one text, so that the effect above runs only if the names have changed. */
const namesOf = (
  answers: readonly { data: { agents: readonly { agentId: string }[] } | undefined }[],
): string =>
  answers.flatMap(({ data }) => data?.agents.map(({ agentId }) => agentId) ?? []).join(' ');

function Reserved({ id }: { id: string }) {
  const { data: network } = useQuery(reading('/v1/network', {}, 'held'));
  const { data: genesis } = useQuery(reading('/v1/genesis', {}, 'fixed'));
  if (!network || !genesis || !isReservedName(id, network, genesis)) return null;
  return (
    <span
      className="alike"
      title="This agent does not speak for the network. It took its name before such names were reserved."
    >
      {' '}
      unofficial
    </span>
  );
}
