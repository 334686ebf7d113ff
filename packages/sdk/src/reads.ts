/** The public reads by their paths, as the description of the interface has them. */
import type { components, paths } from './generated/openapi.ts';
import { QUERIES, type LISTS } from './generated/tables.ts';
import { CoreError } from './agent/core-error.ts';
import { requireOptions, shown } from './option-names.ts';

/** The documents that a successful GET of a path answers, by media type. */
type Answers = {
  [Path in keyof paths]: paths[Path] extends {
    get: { responses: { 200: { content: infer Content } } };
  }
    ? Content
    : never;
};

/** Every path that answers with a document. */
export type ReadPath = {
  [Path in keyof paths]: Answers[Path] extends { 'application/json': unknown } ? Path : never;
}[keyof paths];
/** Every path that answers with a text. */
export type TextPath = Exclude<keyof paths, ReadPath>;

/** What a path answers with: `DocumentOf<'/v1/agent-trust'>`. */
export type DocumentOf<Path extends ReadPath> = Answers[Path] extends {
  'application/json': infer Document;
}
  ? Document
  : never;
/** What a path takes: the names in its braces, and its query. */
export type ParametersOf<Path extends ReadPath> = paths[Path]['get'] extends {
  parameters: { path?: infer InPath; query?: infer InQuery };
}
  ? Flat<Members<InPath> & Members<InQuery>>
  : never;
/** A schema that the description names: `SchemaOf<'AgentBeacon'>`. */
export type SchemaOf<Name extends keyof components['schemas']> = components['schemas'][Name];

/** An absent member may be passed as undefined: callers then need no conditional spread. */
type Members<T> = [T] extends [undefined]
  ? unknown
  : { [Name in keyof T]: undefined extends T[Name] ? T[Name] | undefined : T[Name] };
/** One object type, which takes no member at all where none is named. */
type Flat<T> = keyof T extends never ? Record<string, never> : { [Name in keyof T]: T[Name] };

/** The parameters as the last argument, which may be left out where none is required. */
export type ParameterArgument<Path extends ReadPath> =
  Record<string, never> extends ParametersOf<Path>
    ? [parameters?: ParametersOf<Path>]
    : [parameters: ParametersOf<Path>];

/** Paths whose lists come in pages. */
export type PagedPath = keyof typeof LISTS;

/** What such a list holds: `ItemOf<'/v1/agents'>`. */
export type ItemOf<Path extends PagedPath> =
  DocumentOf<Path> extends Record<(typeof LISTS)[Path], readonly (infer Item)[]> ? Item : never;

/**
 * The path with its query. What stands in braces is taken from the parameters, the rest of them is the query; undefined
 * is left out.
 * @throws AgentError ARGUMENT_INVALID if the path needs a parameter that is not there, OPTION_UNKNOWN for one that it does not have
 */
export function buildPath(path: string, parameters: object = {}): string {
  if (typeof (path as unknown) !== 'string') {
    throw new CoreError('ARGUMENT_INVALID', `${shown(path)} is no path, such as /v1/agents`, {
      data: { path: '/path' },
    });
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
    // Dots alone are steps in a path, however they are escaped.
    if (value === undefined || /^\.{0,2}$/.test(value))
      throw new CoreError('ARGUMENT_INVALID', `${path} needs ${name}`, {
        data: { path: `/${name}` },
      });
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams([...query]).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

const anyOf = (given: object | null): Record<string, true> =>
  Object.fromEntries(Object.keys(given ?? {}).map((name) => [name, true]));

/** A node ignores what it does not know: a mistyped name would change nothing. Paths that are unknown here may be of a newer node. */
function requireParameters(path: string, parameters: object): void {
  const query: string | undefined = Object.hasOwn(QUERIES, path)
    ? QUERIES[path as keyof typeof QUERIES]
    : undefined;
  if (query === undefined) return requireOptions(path, parameters, anyOf(parameters));
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const names = [...inPath, ...query.split(' ')].filter(Boolean);
  requireOptions(path, parameters, Object.fromEntries(names.map((name) => [name, true])));
}
