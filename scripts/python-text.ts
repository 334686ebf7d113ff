/** Writes Python text: literals, comments and wrapped lines. */

const WIDTH = 118;

export const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import
  in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

/** Writes a value on one line. Python differs from JSON in three names. */
export function py(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(py).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${py(name)}: ${py(member)}`);
  return `{${members.join(', ')}}`;
}

export function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes('Any')) return 'Any';
  return distinct.join(' | ');
}

/** Also accepts a bool for a query that takes true or false. */
export function parameterType(type: string): string {
  return type === 'Literal["true", "false"]' ? `${type} | bool` : type;
}

export function overload(call: string, parameters: readonly string[], answer: string): string {
  const line = `    ${call}(${parameters.join(', ')}) -> ${answer}: ...`;
  const lines = parameters.map((parameter) => `        ${parameter},`);
  const text =
    line.length <= WIDTH ? line : `    ${call}(\n${lines.join('\n')}\n    ) -> ${answer}: ...`;
  return `    @overload\n${text}\n`;
}

function wrapped(text: string, first: string, rest: string): string[] {
  const lines: string[] = [];
  let line = first;
  for (const word of text.replaceAll(/\s+/g, ' ').trim().split(' ')) {
    const isFresh = line === first || line === rest;
    if (!isFresh && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = rest + word;
    } else line += isFresh ? word : ` ${word}`;
  }
  return [...lines, line];
}

export function comment(text: string, indent = ''): string {
  if (text === '') return '';
  return wrapped(text, `${indent}#: `, `${indent}#: `)
    .map((line) => `${line}\n`)
    .join('');
}

export function docstring(text: string): string {
  const lines = wrapped(text.replaceAll('\\', '\\\\').replaceAll('"""', "'''"), '    """', '    ');
  return `${lines.join('\n')}${lines.length > 1 ? '\n    ' : ''}"""\n`;
}
