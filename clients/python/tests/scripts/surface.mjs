/**
 * Every public name of the JavaScript SDK, and what its classes offer, as JSON: `["AgentKey", "AgentKey.generate", …]`.
 * Read from the sources word by word, without checking types, so that it takes no time.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const SDK = new URL('../../../../packages/sdk/', import.meta.url);
// The compiler that has an interface for programs is installed for the SDK alone.
const ts = createRequire(fileURLToPath(new URL('package.json', SDK)))('typescript');

/** @returns {Map<string, string[]>} the members of what a module exports, by its name; of what is no class, none */
function exportsOf(file) {
  const found = new Map();
  const source = ts.createSourceFile(
    file.href,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) {
      const { text } = statement.moduleSpecifier;
      // Names of another package are listed as they are.
      const from = text.startsWith('.') ? exportsOf(new URL(text, file)) : new Map();
      const clause = statement.exportClause;
      for (const element of clause?.elements ?? []) {
        found.set(element.name.text, from.get((element.propertyName ?? element.name).text) ?? []);
      }
      if (!clause) for (const [name, own] of from) found.set(name, own);
      continue;
    }
    const isExported = statement.modifiers?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) continue;
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) found.set(name.text, []);
    } else
      found.set(statement.name.text, ts.isClassDeclaration(statement) ? members(statement) : []);
  }
  return found;
}

function members(declaration) {
  const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.OverrideKeyword];
  const open = declaration.members.filter(
    (member) =>
      member.name !== undefined &&
      // Members named by a symbol implement interfaces of Node. They are no names of our own.
      !ts.isComputedPropertyName(member.name) &&
      !member.modifiers?.some((one) => hidden.includes(one.kind)),
  );
  return [...new Set(open.map((member) => member.name.getText()))];
}

const all = [...exportsOf(new URL('src/index.ts', SDK))].flatMap(([name, own]) => [
  name,
  ...own.map((member) => `${name}.${member}`),
]);
console.log(JSON.stringify(all));
