/** Reads every public name from the published declarations, for its page of the documentation. */
import ts from 'typescript';

interface ReferenceMember {
  name: string;
  /** Values are fields. One line describes each. */
  kind: 'class' | 'function' | 'type' | 'value';
  /** Declarations as users write them: all overloads of a function, without bodies or private members. */
  signature: string;
  /** TSDoc without its marks; empty if there is none. */
  description: string;
}

export interface ReferenceEntry extends ReferenceMember {
  /** Public members of a class, an interface or an object type. */
  members: ReferenceMember[];
}

/**
 * @param declarations the code of a bundled `.d.mts`
 * @returns its exported names in the order of the file, without those of other modules
 */
export function referenceOf(declarations: string): ReferenceEntry[] {
  const file = ts.createSourceFile('index.d.mts', declarations, ts.ScriptTarget.Latest, true);
  const names = new Map<string, string>();
  for (const statement of file.statements) {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier) continue;
    const { exportClause } = statement;
    if (!exportClause || !ts.isNamedExports(exportClause)) continue;
    for (const { name, propertyName } of exportClause.elements) {
      names.set((propertyName ?? name).text, name.text);
    }
  }
  const entries = new Map<string, ReferenceEntry>();
  for (const statement of file.statements) {
    const local = nameOf(statement);
    const name = names.get(local);
    if (name === undefined) continue;
    const shape = shapeOf(statement);
    const { kind } = shape;
    const members = TABLES.has(name) ? [] : shape.members;
    const one = {
      name,
      kind,
      signature: headOf(statement, shape.members),
      description: docOf(statement),
    };
    const known = entries.get(name);
    if (known) add(known, one);
    else entries.set(name, { ...one, members: mergedMembers(members) });
  }
  return [...entries.values()];
}

/** Tables of all documents, which OpenAPI describes. */
const TABLES = new Set(['paths', 'components']);

type Member = ts.ClassElement | ts.TypeElement;

function nameOf(statement: ts.Statement): string {
  if (ts.isVariableStatement(statement)) {
    const [first] = statement.declarationList.declarations;
    return first && ts.isIdentifier(first.name) ? first.name.text : '';
  }
  return ts.isDeclarationStatement(statement) && statement.name && ts.isIdentifier(statement.name)
    ? statement.name.text
    : '';
}

function shapeOf(node: ts.Statement): { kind: ReferenceEntry['kind']; members: readonly Member[] } {
  if (ts.isClassDeclaration(node)) return { kind: 'class', members: node.members };
  if (ts.isInterfaceDeclaration(node)) return { kind: 'type', members: node.members };
  if (ts.isTypeAliasDeclaration(node)) {
    return { kind: 'type', members: ts.isTypeLiteralNode(node.type) ? node.type.members : [] };
  }
  return { kind: ts.isFunctionDeclaration(node) ? 'function' : 'value', members: [] };
}

/** Returns the declaration up to its members, which are listed apart. */
function headOf(node: ts.Statement, members: readonly Member[]): string {
  const text = node.getText();
  const [first] = members;
  const head = first ? text.slice(0, first.getFullStart() - node.getStart()).trimEnd() : text;
  return head.replace(/^(?:declare|export) /, '').replace(/\s*(?:= )?\{$/, '');
}

function mergedMembers(members: readonly Member[]): ReferenceMember[] {
  const merged = new Map<string, ReferenceMember>();
  for (const member of members) {
    if (isHidden(member)) continue;
    const name = ts.isConstructorDeclaration(member) ? 'constructor' : member.name?.getText();
    if (name === undefined) continue;
    const kind =
      ts.isPropertySignature(member) || ts.isPropertyDeclaration(member) ? 'value' : 'function';
    const one = { name, kind, signature: signatureOf(member), description: docOf(member) } as const;
    const known = merged.get(name);
    if (known) add(known, one);
    else merged.set(name, { ...one });
  }
  return [...merged.values()];
}

function add(known: ReferenceMember, overload: ReferenceMember): void {
  known.signature += `\n${overload.signature}`;
  known.description ||= overload.description;
}

const HIDDEN = new Set([ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword]);

/** Members named by a symbol, and names of errors, implement interfaces of the language. */
function isHidden(member: Member): boolean {
  const { name } = member;
  if (name?.getText() === 'name' && ts.isClassDeclaration(member.parent)) return true;
  const modifiers = ts.canHaveModifiers(member) ? ts.getModifiers(member) : undefined;
  return (
    (name !== undefined && (ts.isComputedPropertyName(name) || ts.isPrivateIdentifier(name))) ||
    (modifiers?.some(({ kind }) => HIDDEN.has(kind)) ?? false)
  );
}

const signatureOf = (member: Member): string =>
  member.getText().replaceAll(/^ {2}/gm, '').replace(/;$/, '');

function docOf(node: ts.Node): string {
  const [doc] = ts.getJSDocCommentsAndTags(node).toReversed();
  if (!doc) return '';
  return doc
    .getText()
    .replaceAll(/^\/\*\*|\*\/$/g, '')
    .replaceAll(/^ *\* ?/gm, '')
    .trim();
}
