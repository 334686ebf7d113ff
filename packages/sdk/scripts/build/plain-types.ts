/**
 * Declarations of our sources with schema types expanded: `{ height: number }` instead of `Static<typeof
 * Receipt>`, so that users don't need the schema library.
 */
import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import ts from 'typescript';
import { ROOT } from './root.ts';

/** The schema of a type alias. */
const SCHEMA_TYPE = /^Static<typeof (\w+)>/;
const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;
const OURS = /[/\\]packages[/\\]\w+[/\\]src[/\\]/;

/** Returns a virtual path. No file exists there. */
export const declarationsOf = (source: string): string => source.replace(/\.ts$/, '.d.ts');

/**
 * Serves declarations of a source and all its imports from one compiler program.
 * @param entry the source whose `declarationsOf` is the build's input
 */
export function plainTypes(entry: string): Plugin {
  const options = compilerOptions();
  let declarations: ReadonlyMap<string, string> | null = null;
  return {
    name: 'plain-types',
    resolveId: {
      order: 'pre',
      handler: (name, importer) => {
        declarations ??= declarationsFrom(entry, options);
        if (importer === undefined) return declarations.has(name) ? name : null;
        if (!declarations.has(importer)) return null;
        const source = importer.replace(/\.d\.ts$/, '.ts');
        const { resolvedModule } = ts.resolveModuleName(
          name,
          source,
          options,
          ts.sys,
          undefined,
          undefined,
          ts.ModuleKind.ESNext,
        );
        const path = declarationsOf(
          ts.sys.realpath?.(resolvedModule?.resolvedFileName ?? '') ?? '',
        );
        return declarations.has(path) ? path : null;
      },
    },
    load: {
      order: 'pre',
      handler: (id) => declarations?.get(id) ?? null,
    },
  };
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) =>
    ts.sys.readFile(path),
  ) as { config: { compilerOptions: object } };
  const { options } = ts.convertCompilerOptionsFromJson(
    // Types are checked elsewhere.
    { ...config.compilerOptions, noEmit: false, declaration: true, emitDeclarationOnly: true },
    ROOT,
  );
  return options;
}

/** Declarations of every reachable source of ours, by virtual path. */
function declarationsFrom(entry: string, options: ts.CompilerOptions): Map<string, string> {
  const first = ts.createProgram([entry], options);
  // Imports by package name count as foreign and are not emitted, unless they are roots.
  const roots = first
    .getSourceFiles()
    .map(({ fileName }) => ts.sys.realpath?.(fileName) ?? fileName)
    .filter((fileName) => OURS.test(fileName) && !fileName.endsWith('.d.ts'));
  const program = ts.createProgram(roots, options, undefined, first);
  const types = writtenOut(program);
  const declarations = new Map<string, string>();
  program.emit(undefined, (path, code) => {
    declarations.set(path, /typebox|Static</.test(code) ? withoutSchemas(code, types) : code);
  });
  return declarations;
}

function withoutSchemas(code: string, types: ReadonlyMap<string, string>): string {
  const file = ts.createSourceFile('it.d.ts', code, ts.ScriptTarget.Latest);
  const statements = file.statements.map((node) => {
    const text = node.getFullText(file);
    if (ts.isVariableStatement(node) && /typebox|TObject</.test(text)) return '';
    if (!ts.isTypeAliasDeclaration(node)) return text;
    const alias = node.type.getText(file);
    const type = types.get(SCHEMA_TYPE.exec(alias)?.[1] ?? '');
    return type === undefined
      ? text
      : text.replace(
          alias,
          alias.replace(SCHEMA_TYPE, () => type),
        );
  });
  return statements.join('');
}

/** Expanded types by schema name. */
function writtenOut(program: ts.Program): Map<string, string> {
  const checker = program.getTypeChecker();
  const types = new Map<string, string>();
  for (const file of program.getSourceFiles()) {
    if (!OURS.test(file.fileName)) continue;
    file.forEachChild((node) => {
      if (!ts.isTypeAliasDeclaration(node)) return;
      const [, schema] = SCHEMA_TYPE.exec(node.type.getText(file)) ?? [];
      if (schema === undefined) return;
      // For `Static<typeof Schema> & …` take the first part.
      const part = ts.isIntersectionTypeNode(node.type) ? node.type.types[0] : node.type;
      if (!part) return;
      const type = checker.getTypeFromTypeNode(part);
      types.set(schema, checker.typeToString(type, undefined, FLAGS));
    });
  }
  return types;
}
