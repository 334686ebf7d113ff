/** The public reads by their paths, as the description of the interface has them. */
import type { Reads } from './generated/reads.ts';

export type ReadPath = keyof Reads;
/** What a path answers with: `DocumentOf<'/v1/agent-trust'>`. */
export type DocumentOf<Path extends ReadPath> = Reads[Path]['document'];
/** What a path takes: the names in its braces, and its query. */
export type ParametersOf<Path extends ReadPath> = Reads[Path]['parameters'];

/** The parameters as the last argument, which may be left out where none is required. */
export type ParameterArgument<Path extends ReadPath> =
  Record<string, never> extends ParametersOf<Path>
    ? [parameters?: ParametersOf<Path>]
    : [parameters: ParametersOf<Path>];

/** Paths whose lists come in pages. */
export type PagedPath = {
  [Path in ReadPath]: Reads[Path] extends {
    parameters: { cursor?: string | undefined };
    document: { nextCursor: string | null };
  }
    ? Path
    : never;
}[ReadPath];

/**
 * The path with its query. What stands in braces is taken from the parameters, the rest of them is the query; undefined
 * is left out.
 * @throws TypeError where the path needs a parameter that is not there
 */
export function pathWith(path: string, parameters: object = {}): string {
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
      throw new TypeError(`${path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams([...query]).toString();
  return search === '' ? filled : `${filled}?${search}`;
}
