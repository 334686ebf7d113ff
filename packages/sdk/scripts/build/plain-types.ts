/**
 * Types that our schemas stand for, written out. What a stranger installs should say `{ height: number }` where our sources
 * say `Static<typeof Receipt>`, and not bring the library that knows what that means.
 */
import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import ts from 'typescript';
import { ROOT } from './root.ts';

/** The schema whose type an alias is, where it is one. */
const SCHEMA_TYPE = /^Static<typeof (\w+)>/;
const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;

/** Writes out the types of schemas in the declarations of packages, before they are rolled up, and leaves the schemas out. */
export function plainTypes(packages: readonly string[]): Plugin {
  let types: Map<string, string> | null = null;
  return {
    name: 'plain-types',
    transform: {
      order: 'pre',
      filter: { id: /[/\\]packages[/\\]\w+[/\\]src[/\\].*\.d\.ts$/ },
      handler: (code) => {
        if (!/typebox|Static</.test(code)) return null;
        types ??= writtenOut(packages);
        return { code: withoutSchemas(code, types), map: null };
      },
    },
  };
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

/** The type of every exported schema of the packages, by the name of the schema. */
function writtenOut(packages: readonly string[]): Map<string, string> {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) =>
    ts.sys.readFile(path),
  ) as {
    config: { compilerOptions: unknown };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const entries = packages.map((name) => join(ROOT, 'packages', name, 'src/index.ts'));
  const program = ts.createProgram(entries, options);
  const checker = program.getTypeChecker();
  const types = new Map<string, string>();
  for (const file of program.getSourceFiles()) {
    if (!/[/\\]packages[/\\]\w+[/\\]src[/\\]/.test(file.fileName)) continue;
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
