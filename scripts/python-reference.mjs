/**
 * Reads the signature and docstring of every public name of the Python SDK. It parses the sources, because
 * `npm run build` must not need Python. test_reference.py compares the result with what Python itself sees.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parser } from '@lezer/python';

/** Modules whose public names have an entry. */
const ENTRIES = [
  'netsdk',
  'netsdk.agent',
  'netsdk.testing',
  'netsdk.tools',
  'netsdk.services',
  'netsdk.homes',
];

/**
 * @param {string} src the folder of the package
 * @returns {Record<string, object[]>} entries as of packages/sdk/scripts/build/reference.ts, by module
 */
export function pythonReference(src) {
  const modules = new Map();
  const moduleAt = (path) => {
    if (!modules.has(path)) modules.set(path, readModule(path));
    return modules.get(path);
  };
  /** Follows imports to the definition of a name; null if it is not of this package. */
  const find = (module, name) => {
    const own = module.names.get(name);
    if (own) return own;
    const from = module.imports.get(name);
    if (!from) return null;
    const path = pathOf(module.path, from.module, src);
    return path === null ? null : find(moduleAt(path), from.name);
  };
  const membersOf = (kind) => {
    const members = new Map();
    for (const base of kind.bases) {
      const found = find(kind.module, base);
      if (found?.bases) for (const [name, one] of membersOf(found)) members.set(name, one);
    }
    for (const [name, one] of kind.members) {
      const [owner, method] = one.alias ?? [];
      const target = owner && find(kind.module, owner)?.members.get(method);
      if (target) members.set(name, { ...blocking(target), name });
      else if (!one.alias) members.set(name, one);
    }
    return members;
  };
  const shown = ({ name, kind, signature, description }, members) => ({
    name,
    kind,
    signature,
    description,
    ...(members ? { members } : {}),
  });
  const seen = new Set();
  return Object.fromEntries(
    ENTRIES.map((entry) => {
      const module = moduleAt(pathOf(null, entry, src));
      const listed =
        module.all ?? [...module.names.keys()].filter((name) => /^[a-z]|^[A-Z]\w*[a-z]/.test(name));
      const names = listed.filter((name) => !seen.has(name) && !name.startsWith('__'));
      const entries = names.map((name) => {
        seen.add(name);
        const found = find(module, name);
        if (!found) throw new Error(`${entry}: nothing defines ${name}`);
        const members = found.bases ? [...membersOf(found).values()].map((one) => shown(one)) : [];
        const signature = found.signature.replace(`${found.name}(`, `${name}(`);
        return { ...shown({ ...found, signature }, members), name };
      });
      return [entry, entries];
    }),
  );
}

/** The signature of a blocking method that another one wraps. */
const blocking = (member) => ({
  ...member,
  signature: member.signature.replace(/^async /m, '').replaceAll(/\bAsync(?=Agent|Hired)/g, ''),
});

function pathOf(importer, module, src) {
  const dots = /^\.*/.exec(module)[0].length;
  let folder = src;
  if (dots > 0) {
    folder = dirname(importer);
    for (let up = 1; up < dots; up++) folder = dirname(folder);
  }
  const base = join(folder, ...module.slice(dots).split('.').filter(Boolean));
  return [`${base}.py`, join(base, '__init__.py')].find((path) => existsSync(path)) ?? null;
}

function readModule(path) {
  const text = readFileSync(path, 'utf8');
  const module = { path, imports: new Map(), names: new Map(), all: null };
  const slice = ({ from, to }) => text.slice(from, to);
  for (const { node, comment, decorators } of statements(parser.parse(text).topNode, slice)) {
    if (node.name === 'ImportStatement') readImport(slice(node), module.imports);
    if (node.name === 'FunctionDefinition' || node.name === 'ClassDefinition') {
      const read = node.name === 'ClassDefinition' ? readClass : readFunction;
      const one = read(node, slice, decorators);
      if (!(decorators.includes('overload') && module.names.has(one.name))) {
        module.names.set(one.name, { ...one, module });
      }
    }
    if (node.name !== 'AssignStatement') continue;
    const name = slice(node.firstChild);
    if (name === '__all__')
      module.all = [...slice(node).matchAll(/"(\w+)"/g)].map(([, one]) => one);
    else module.names.set(name, { ...readAssignment(node, slice, comment), kind: 'value', module });
  }
  return module;
}

/** Statements with the `#:` comment and the decorators above them, also those below `if TYPE_CHECKING`. */
function* statements(parent, slice) {
  let comment = '';
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    if (node.name === 'Comment') {
      const line = slice(node);
      comment = line.startsWith('#:') ? `${comment}${line.slice(2)}`.trim() : '';
      continue;
    }
    if (node.name === 'IfStatement') {
      for (const body of node.getChildren('Body')) yield* statements(body, slice);
    } else if (node.name === 'DecoratedStatement') {
      const decorators = node.getChildren('Decorator').map((one) => slice(one).trim().slice(1));
      yield { node: node.lastChild, comment, decorators };
    } else yield { node, comment, decorators: [] };
    comment = '';
  }
}

function readImport(text, imports) {
  const [, module, names] = /^from (\S+) import \(?([^)]*)\)?$/s.exec(text) ?? [];
  for (const one of names?.split(',') ?? []) {
    const [name, , as = name] = one.trim().split(/\s+/);
    if (name) imports.set(as, { module, name });
  }
}

function readFunction(node, slice, decorators = []) {
  const name = slice(node.getChild('VariableName'));
  const body = node.getChild('Body');
  const head = slice({ from: node.from, to: body.from });
  const isProperty = decorators.includes('property');
  const marks = decorators
    .filter((one) => /^(?:classmethod|staticmethod)$/.test(one))
    .map((one) => `@${one}\n`);
  return {
    name,
    kind: 'function',
    signature: isProperty
      ? `${name}: ${slice(node.getChild('TypeDef')).slice(3)}`
      : marks.join('') + dedented(head.replace(/\((\s*)(?:self|cls)\b(?:, \/)?,?\s*/, '($1')),
    description: docstring(body, slice),
  };
}

function readClass(node, slice, decorators) {
  const body = node.getChild('Body');
  const bases = (node.getChild('ArgList')?.getChildren('VariableName') ?? []).map(slice);
  const generic = node.getChild('ArgList')?.getChildren('MemberExpression') ?? [];
  const description = docstring(body, slice);
  const fields = new Map(
    [...description.matchAll(/^:ivar (\w+): (.*(?:\n {2,}.*)*)/gm)].map(([, name, words]) => [
      name,
      words.replaceAll(/\s+/g, ' '),
    ]),
  );
  const members = new Map();
  for (const { node: one, comment, decorators: marks } of statements(body, slice)) {
    if (one.name === 'FunctionDefinition') {
      const member = readFunction(one, slice, marks);
      const isSetter = marks.some((mark) => mark.endsWith('.setter'));
      if (member.name.startsWith('_') || isSetter) continue;
      if (marks.includes('overload') && members.has(member.name)) continue;
      const known = members.get(member.name);
      members.set(member.name, {
        ...member,
        description: member.description || known?.description || '',
      });
    } else if (one.name === 'AssignStatement') {
      const member = readAssignment(one, slice, comment);
      if (!/^[a-z]\w*$/.test(member.name)) continue;
      if (!member.alias && members.has(member.name)) continue;
      members.set(member.name, {
        ...member,
        description: member.description || fields.get(member.name) || '',
      });
    }
  }
  for (const [name, words] of fields) {
    if (!members.has(name))
      members.set(name, { name, kind: 'value', signature: name, description: words });
  }
  const frozen = decorators.some((one) => one.startsWith('dataclass')) ? '@dataclass\n' : '';
  return {
    name: slice(node.getChild('VariableName')),
    kind: 'class',
    signature: frozen + dedented(slice({ from: node.from, to: body.from })),
    description: description.replaceAll(/^:ivar .*(?:\n {2,}.*)*\n?/gm, '').trim(),
    bases: [...bases, ...generic.map((one) => slice(one.firstChild))],
    members,
  };
}

/** An attribute; or a method that wraps that of another class: `release = _blocking(AsyncAgent.release)`. */
function readAssignment(node, slice, description) {
  const name = slice(node.firstChild);
  const text = dedented(slice(node));
  const alias = /^\w+ = (?:\w+\()+(Async\w+)\.(\w+)\)+$/.exec(text);
  const type = node.getChild('TypeDef');
  return {
    name,
    kind: 'value',
    signature: type ? `${name}${slice(type)}` : text,
    description,
    ...(alias ? { alias: [alias[1], alias[2]] } : {}),
  };
}

function docstring(body, slice) {
  const first = body.getChild('ExpressionStatement');
  const text = first && first.firstChild?.name === 'String' ? slice(first) : '';
  const inner = /^r?"""(.*)"""$/s.exec(text)?.[1] ?? '';
  return dedented(inner);
}

/** Takes away the indent that all lines but the first share. */
function dedented(text) {
  const [first = '', ...others] = text.trim().split('\n');
  const indents = others
    .filter((line) => line.trim() !== '')
    .map((line) => /^ */.exec(line)[0].length);
  const least = indents.length === 0 ? 0 : Math.min(...indents);
  return [first, ...others.map((line) => line.slice(least))].join('\n').trimEnd();
}
