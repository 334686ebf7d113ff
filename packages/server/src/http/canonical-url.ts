import type { TObject } from '@netd/protocol/type';

export interface RouteParameters {
  route: string;
  path: TObject | undefined;
  query: TObject | undefined;
}

interface ParameterSchema {
  type?: string;
  default?: unknown;
}

export type Parameters = Record<string, unknown>;

export function knownParameters(
  { properties }: { properties: Record<string, ParameterSchema> },
  given: Parameters,
): Parameters {
  const known: Parameters = {};
  for (const name of Object.keys(properties).toSorted()) {
    const value = Object.hasOwn(given, name) ? given[name] : properties[name]?.default;
    if (value !== undefined) known[name] = value;
  }
  return known;
}

/**
 * Returns the path with sorted query parameters. Omits defaults and unknown names.
 * @param given validated parameters
 */
export function canonicalUrl({ route, path, query }: RouteParameters, given: Parameters): string {
  const at = route.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => {
    if (!path || !Object.hasOwn(path.properties, name)) throw new Error(`${route}: no ${name}`);
    return encodeURIComponent(String(given[name]));
  });
  if (!query) return at;
  const pairs = Object.entries(knownParameters(query, given))
    .filter(([name, value]) => (query.properties[name] as ParameterSchema).default !== value)
    .map(([name, value]) => `${name}=${queryText(String(value))}`);
  return pairs.length === 0 ? at : `${at}?${pairs.join('&')}`;
}

function queryText(value: string): string {
  return encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%3A', ':');
}
