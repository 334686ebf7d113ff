/** The public names of both SDKs: from docstrings and TSDoc, with an example that a test runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GUIDES } from '@netd/server/guides';
import { documentPages, ownLinks } from '../documents.ts';
import { fence, listOf, plain, ROOT, type Page } from '../page.ts';
import { clientErrorContract, errorContract } from './contract.ts';

interface Member {
  name: string;
  kind: 'class' | 'function' | 'type' | 'value';
  signature: string;
  description: string;
}

export interface Name extends Member {
  members: Member[];
}

interface Example {
  /** The block, and the heading above it. */
  code: string;
  uses: string;
  link: string;
}

type Language = 'python' | 'javascript';

interface Sdk {
  language: Language;
  title: string;
  fence: string;
  reference: string;
  /** Texts whose blocks a test runs, by the last part of their path. */
  texts: Readonly<Record<string, string>>;
  /** Entry points, by the last part of their path; the first has the index. */
  entries: Readonly<Record<string, readonly [entry: string, about: string]>>;
}

export const SDKS: readonly Sdk[] = [
  {
    language: 'python',
    title: 'Python',
    fence: 'python',
    reference: 'clients/python/dist/reference.json',
    texts: { start: 'clients/python/README.md', examples: 'clients/python/EXAMPLES.md' },
    entries: {
      '': ['netsdk', 'clients, keys, proofs, and agents that block or use asyncio'],
      agent: ['netsdk.agent', 'events of agents and hired orders, and what their methods return'],
      testing: ['netsdk.testing', 'networks for tests, with a clock that the test controls'],
      tools: ['netsdk.tools', 'the tools of an agent in frameworks for models'],
      services: ['netsdk.services', 'paid services from web handlers, graphs and crews'],
      homes: ['netsdk.homes', 'stores of keys and state that several machines share'],
    },
  },
  {
    language: 'javascript',
    title: 'JavaScript',
    fence: 'ts',
    reference: 'packages/sdk/dist/reference.json',
    texts: { start: 'packages/sdk/README.md' },
    entries: {
      '': ['index', 'clients, keys, proofs, events and agents, with their types'],
      test: ['test', 'networks for tests, with a clock that the test controls'],
      tools: ['tools', 'the tools of an agent in frameworks for models'],
      services: ['services', 'paid services from web handlers, graphs and crews'],
      homes: ['homes', 'stores of state that several machines share'],
    },
  },
];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Returns the public names by entry point, as the builds of the SDKs wrote them. */
export const namesOf = ({ reference }: Sdk): Record<string, Name[]> =>
  (READ[reference] ??= JSON.parse(read(reference)) as Record<string, Name[]>);
const READ: Record<string, Record<string, Name[]>> = {};

export const anchorOf = (...names: string[]): string => names.join('-').replaceAll(/[^\w-]/g, '');

export const sdkPages = (): Page[] => SDKS.flatMap(pagesOf);

function pagesOf(sdk: Sdk): Page[] {
  const { language, title, texts, entries } = sdk;
  const names = namesOf(sdk);
  const at = (place: string): string => `/docs/${language}${place === '' ? '' : `/${place}`}`;
  const documents = new Set(documentPages().map(({ path }) => path));
  const written = Object.entries(texts).map(([place, file]): Page => {
    const markdown = read(file);
    return {
      path: at(place),
      title: /^# (.*)$/m.exec(markdown)?.[1] ?? title,
      section: language,
      summary: 'programs that a test runs, in this order, with what they print',
      markdown: ownLinks({ path: `/${file}`, markdown }, documents),
    };
  });
  const guides = GUIDES.map(({ name }) => {
    const path = `/docs/guides/${name}`;
    return { path, markdown: read(`${path.slice(1)}.md`) };
  });
  const models = { path: '/docs/models', markdown: read('docs/models.md') };
  const examples = [...written, ...guides, models].flatMap((one) => examplesIn(one, language));
  const pages = Object.entries(entries).map(([place, [entry, about]]): Page => {
    const module = language === 'python' ? entry : ['net-sdk', place].filter(Boolean).join('/');
    const all = (names[entry] ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const shown = new Set<string>();
    const sections = all.map((one) => section(sdk, one, examples, shown));
    return {
      path: at(place),
      title: place === '' ? title : module,
      section: language,
      summary: `Public names of ${module}: ${about}`,
      ...(place === '' ? { isIndex: true } : {}),
      names: all.flatMap((one) => [
        searched(one),
        ...methodsOf(one).map((it) => searched(one, it)),
      ]),
      markdown: `# ${place === '' ? title : module}\n\nPublic names of \`${module}\`: ${about}.\n\n${sections.join('\n\n')}\n`,
    };
  });
  const [index, ...others] = pages;
  if (!index) return [];
  const beside = `${listOf([...written, ...others])}\n\n`;
  return [
    { ...index, markdown: index.markdown.replace(/(?<=\n\n)(?=## )/, beside) },
    ...written,
    ...others,
  ];
}

function searched(one: Name, member?: Member): { id: string; name: string; summary: string } {
  const names = [one.name, ...(member ? [member.name] : [])];
  return {
    id: anchorOf(...names),
    name: names.join('.'),
    summary: firstSentence((member ?? one).description),
  };
}

const firstSentence = (description: string): string =>
  /^.*?\.(?=\s|$)|^.*/s
    .exec(description.replace(/^@\w+ /, ''))?.[0]
    .replaceAll(/``|:\w+:|`/g, '')
    .replaceAll(/\s+/g, ' ') ?? '';

/** @param shown examples that are on the page already, to which later names link */
function section(sdk: Sdk, one: Name, examples: readonly Example[], shown: Set<string>): string {
  const example = one.kind === 'value' ? undefined : exampleOf(examples, `\\b${one.name}\\b`);
  const parts = [
    `## ${one.name} {#${anchorOf(one.name)}}`,
    fence(sdk.fence, shortened(one.signature)),
    words(one.description),
    ...(example ? [`Example: ${example.link}`] : []),
    ...(example && !shown.has(example.code) ? [fence(sdk.fence, example.code)] : []),
    one.members
      .filter(({ kind }) => kind === 'value')
      .map(fieldLine)
      .join('\n'),
    ...methodsOf(one).map((member) => part(sdk, one, member, examples)),
  ];
  if (example) shown.add(example.code);
  return parts.filter((text) => text !== '').join('\n\n');
}

/** Lists of hundreds of codes have pages of their own. */
const shortened = (signature: string): string =>
  signature.length > 2_000 ? `${signature.slice(0, signature.indexOf(' | ', 300))} | …` : signature;

const methodsOf = ({ members }: Name): Member[] => members.filter(({ kind }) => kind !== 'value');

function fieldLine({ signature, description }: Member): string {
  const type = signature.replaceAll(/\/\*\*.*?\*\//gs, '').replaceAll(/\s+/g, ' ');
  return `- \`${type.replace(/(?<=\?: .*) \| undefined$/, '')}\` ${words(description).replaceAll(/\s+/g, ' ')}`.trimEnd();
}

function part(sdk: Sdk, one: Name, member: Member, examples: readonly Example[]): string {
  const example = exampleOf(examples, callOf(sdk, one, member, examples));
  return [
    `### ${plain(`${one.name}.${member.name}`)} {#${anchorOf(one.name, member.name)}}`,
    fence(sdk.fence, member.signature),
    words(member.description),
    ...(example ? [`Example: ${example.link}`] : []),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Returns a pattern for calls of a method. If other classes have it too, the pattern needs a variable of this class. */
function callOf(sdk: Sdk, one: Name, { name }: Member, examples: readonly Example[]): string {
  const isElsewhere = Object.values(namesOf(sdk))
    .flat()
    .some((other) => !isKin(one, other) && methodsOf(other).some((method) => method.name === name));
  if (!isElsewhere) return String.raw`\.${name}\b`;
  const [word = ''] = /[A-Z][a-z]*$/.exec(one.name) ?? [];
  const made = new RegExp(String.raw`(\w+) = (?:await )?(?:new )?${one.name}[.(]`, 'g');
  const variables = examples.flatMap(({ code }) => [...code.matchAll(made)].map(([, it]) => it));
  return String.raw`\b(?:${[...new Set([one.name, word.toLowerCase(), ...variables])].join('|')})\.${name}\b`;
}

/** True if both names are one class, in its blocking or its asyncio form. */
const isKin = (one: Name, other: Name): boolean =>
  one.name.replace(/^Async/, '') === other.name.replace(/^Async/, '');

const exampleOf = (examples: readonly Example[], pattern: string): Example | undefined => {
  const used = new RegExp(pattern);
  return examples.find(({ uses }) => used.test(uses));
};

function examplesIn(
  { path, markdown }: Pick<Page, 'path' | 'markdown'>,
  language: Language,
): Example[] {
  let heading = '';
  const found: Example[] = [];
  const fences = language === 'python' ? 'python|py' : 'js|ts';
  const blocks = new RegExp(
    String.raw`^## (.*)$|^\x60{3}(?:${fences})\b[^\n]*\n([^]*?)^\x60{3}$`,
    'gm',
  );
  for (const [, title, code] of markdown.matchAll(blocks)) {
    if (title !== undefined) heading = title;
    else if (code !== undefined) {
      const slug = heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-');
      found.push({
        code,
        uses: code.replaceAll(/^ *(?:from \S+ )?import [^;]+?;?$/gm, ''),
        link: `[${heading}](${path}#${slug})`,
      });
    }
  }
  return found;
}

/** Matches a field of a docstring or a tag of TSDoc, with its indented lines. */
const FIELD =
  /^(?::(param|returns?|raises)(?: ([^:\n]+))?:|@(?:(param|throws)(?: ([\w.]+)(?= ))?|(returns))) *(.*(?:\n(?![:@]|\n).*)*)/gm;

const LABELS: Readonly<Record<string, string>> = {
  param: '',
  return: 'Returns',
  returns: 'Returns',
  raises: 'Raises',
  throws: 'Throws',
};

/** Returns a docstring or TSDoc as Markdown. */
function words(description: string): string {
  const fields: string[] = [];
  const text = description.replaceAll(FIELD, (...found: string[]) => {
    const [, field, of, tag, name, result, rest = ''] = found;
    const kind = field ?? tag ?? result ?? '';
    const label = LABELS[kind] ?? kind;
    const subject = of ?? name;
    const about = [label, subject === undefined ? '' : `\`${subject}\`:`].filter(Boolean).join(' ');
    fields.push(`- ${about} ${prose(rest.replaceAll(/\s*\n\s*/g, ' ').trim())}`);
    return '';
  });
  return [prose(text.trim()), fields.join('\n')].filter(Boolean).join('\n\n');
}

/** Escapes text except for code; turns roles of docstrings, such as :meth:`Agent.act`, into code. */
const prose = (text: string): string =>
  text
    .replaceAll(/:\w+:`([^`]+)`/g, '`$1`')
    .replaceAll(/``([^`]+)``/g, '`$1`')
    .split(/(`[^`\n]+`)/)
    .map((piece) => (piece.startsWith('`') ? piece : linked(plain(piece))))
    .join('');

const CODES = new Set(Object.keys({ ...errorContract(), ...clientErrorContract() }));

/** Links the codes of errors. */
const linked = (text: string): string =>
  text.replaceAll(/\$?\b[A-Z]+(?:\\_[A-Z]+)+\b/g, (found) => {
    const code = found.replaceAll('\\', '');
    return CODES.has(code) ? `[\`${code}\`](/docs/errors/${code})` : `\`${code}\``;
  });
