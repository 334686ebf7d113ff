import type { components, paths } from './generated/openapi.ts';
import { QUERIES, type LISTS } from './generated/tables.ts';
import { refuseArgument } from './agent/core-error.ts';
import type { Bounds } from './bounds.ts';
import { requireOptions, shown } from './option-names.ts';

type Answers = {
  [Path in keyof paths]: paths[Path] extends {
    get: { responses: { 200: { content: infer Content } } };
  }
    ? Content
    : never;
};

/** Paths that answer with a JSON document, as in OpenAPI. */
export type ReadPath = {
  [Path in keyof paths]: Answers[Path] extends { 'application/json': unknown } ? Path : never;
}[keyof paths];
/** Paths that answer with text, such as `/llms.txt`. */
export type TextPath = Exclude<keyof paths, ReadPath>;

/** Document of a path: `DocumentOf<'/v1/agent-trust'>`. */
export type DocumentOf<Path extends ReadPath> = Answers[Path] extends {
  'application/json': infer Document;
}
  ? Document
  : never;
/** Parameters of a path, those of its query included. */
export type ParametersOf<Path extends ReadPath> = paths[Path]['get'] extends {
  parameters: { path?: infer InPath; query?: infer InQuery };
}
  ? Flat<Members<InPath> & Members<InQuery>>
  : never;
/** Schema by name: `SchemaOf<'AgentBeacon'>`. */
export type SchemaOf<Name extends keyof components['schemas']> = components['schemas'][Name];

/** Allows undefined members, so that callers need no conditional spread. */
type Members<T> = [T] extends [undefined]
  ? unknown
  : { [Name in keyof T]: undefined extends T[Name] ? T[Name] | undefined : T[Name] };
type Flat<T> = keyof T extends never ? Record<string, never> : { [Name in keyof T]: T[Name] };

export type ParameterArgument<Path extends ReadPath> =
  Record<string, never> extends ParametersOf<Path>
    ? [parameters?: ParametersOf<Path> | Record<string, never>, bounds?: Bounds]
    : [parameters: ParametersOf<Path>, bounds?: Bounds];

/** Paths whose document is a page of a list. */
export type PagedPath = keyof typeof LISTS;

/** Item of a list: `ItemOf<'/v1/agents'>`. */
export type ItemOf<Path extends PagedPath> =
  DocumentOf<Path> extends Record<(typeof LISTS)[Path], readonly (infer Item)[]> ? Item : never;

/** Fills a path. Parameters that it does not name become the query; undefined ones are skipped. */
export function buildPath(path: string, parameters: object = {}): string {
  if (typeof (path as unknown) !== 'string') {
    refuseArgument('path', `${shown(path)} is no path, such as /v1/agents`);
  }
  requireParameters(path, parameters);
  const query = new Map(
    Object.entries(parameters)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = query.get(name);
    query.delete(name);
    // Dots alone would be path steps, even when escaped.
    if (value === undefined || /^\.{0,2}$/.test(value)) {
      refuseArgument(name, `${path} needs ${name}`);
    }
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams([...query]).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

const anyOf = (given: object | null): Record<string, true> =>
  Object.fromEntries(Object.keys(given ?? {}).map((name) => [name, true]));

/**
 * Refuses unknown parameters, which a node would ignore. Allows them on unknown paths, which may be a newer
 * node's.
 */
function requireParameters(path: string, parameters: object): void {
  const query: string | undefined = Object.hasOwn(QUERIES, path)
    ? QUERIES[path as keyof typeof QUERIES]
    : undefined;
  if (query === undefined) return requireOptions(path, parameters, anyOf(parameters));
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const names = [...inPath, ...query.split(' ')].filter(Boolean);
  requireOptions(path, parameters, Object.fromEntries(names.map((name) => [name, true])));
}
