/**
 * The declarations of our sources, with the types that schemas stand for written out. What a stranger installs should say
 * `{ height: number }` where our sources say `Static<typeof Receipt>`, and not bring the library that knows what that means.
 */
import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import ts from 'typescript';
import { ROOT } from './root.ts';

/** The schema whose type an alias is, where it is one. */
const SCHEMA_TYPE = /^Static<typeof (\w+)>/;
const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;
const OURS = /[/\\]packages[/\\]\w+[/\\]src[/\\]/;

/** The virtual path of the declarations of a source; no file is there. */
export const declarationsOf = (source: string): string => source.replace(/\.ts$/, '.d.ts');

/**
 * Hands out the declarations of a source and of all of ours that it imports; one program of the compiler makes them.
 * @param entry whose `declarationsOf` is the input of the build
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
    // Others check the types; here they are only written down.
    { ...config.compilerOptions, noEmit: false, declaration: true, emitDeclarationOnly: true },
    ROOT,
  );
  return options;
}

/** Declarations of every source of ours that the entry leads to, by the places where they would lie. */
function declarationsFrom(entry: string, options: ts.CompilerOptions): Map<string, string> {
  const first = ts.createProgram([entry], options);
  // What is imported by the name of its package counts as foreign, and is not emitted, unless it is a root itself.
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

/** The type of every schema that an alias names, by the name of the schema. */
function writtenOut(program: ts.Program): Map<string, string> {
  const checker = program.getTypeChecker();
  const types = new Map<string, string>();
  for (const file of program.getSourceFiles()) {
    if (!OURS.test(file.fileName)) continue;
    file.forEachChild((node) => {
      if (!ts.isTypeAliasDeclaration(node)) return;
      const [, schema] = SCHEMA_TYPE.exec(node.type.getText(file)) ?? [];
      if (schema === undefined) return;
      // Of `Static<typeof Schema> & …` only the first part.
      const part = ts.isIntersectionTypeNode(node.type) ? node.type.types[0] : node.type;
      if (!part) return;
      const type = checker.getTypeFromTypeNode(part);
      types.set(schema, checker.typeToString(type, undefined, FLAGS));
    });
  }
  return types;
}
