import type { SharedStore } from '@netd/sdk';

/** Runs one statement in a transaction of its own, for example `(text, values) => pool.query(text, values)`. */
export type PostgresQuery = (
  text: string,
  values: string[],
) => Promise<{ rows: readonly Record<string, unknown>[] }>;

/** The table of all agents. Create it once, before the first agent. */
export const POSTGRES_TABLE = `CREATE TABLE IF NOT EXISTS netd_homes (
  home text NOT NULL, key text NOT NULL, text text NOT NULL, PRIMARY KEY (home, key))`;

/** Locks the guard until the end of the statement, so that no other holder begins meanwhile. */
const GUARD =
  'WITH guard AS (SELECT FROM netd_homes WHERE home = $1 AND key = $2 AND text = $3 FOR UPDATE)';
const WRITE = `${GUARD} INSERT INTO netd_homes SELECT $1::text, $4::text, $5::text FROM guard
  ON CONFLICT (home, key) DO UPDATE SET text = excluded.text RETURNING key`;
const DELETE = `${GUARD}, gone AS
  (DELETE FROM netd_homes WHERE home = $1 AND key = $4 AND EXISTS (SELECT FROM guard))
  SELECT $4 AS key FROM guard`;

/**
 * Returns a store in the table of POSTGRES_TABLE, for one agent.
 * @param home a name that no other agent has, such as 'ada'
 */
export function postgresStore(query: PostgresQuery, home: string): SharedStore {
  const rowsOf = async (text: string, ...values: string[]): Promise<Record<string, unknown>[]> => [
    ...(await query(text, [home, ...values])).rows,
  ];
  return {
    get: async (key) => {
      const [row] = await rowsOf('SELECT text FROM netd_homes WHERE home = $1 AND key = $2', key);
      return (row?.['text'] as string | undefined) ?? null;
    },
    keys: async () =>
      (await rowsOf('SELECT key FROM netd_homes WHERE home = $1')).map(({ key }) => key as string),
    add: async (key, text) => {
      const insert =
        'INSERT INTO netd_homes VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING key';
      return (await rowsOf(insert, key, text)).length === 1;
    },
    writeIf: async (guard, key, text) => {
      const wrote =
        text === null
          ? await rowsOf(DELETE, guard.key, guard.text, key)
          : await rowsOf(WRITE, guard.key, guard.text, key, text);
      return wrote.length === 1;
    },
  };
}
