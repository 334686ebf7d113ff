import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { nodeUrl, type ReadMeta } from '../../chain/client.ts';
import { Card, Code, Empty, ErrorNote, Skeleton } from '../../ui/parts.tsx';
import { readSamples, requestPath, type ReadQuestion } from '../../words/samples.ts';
import { visibleJson } from '../../words/strangers.ts';
import { TextField } from '../../ui/fields.tsx';
import { SampleCode } from './samples.tsx';

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: { enum?: readonly string[] };
}
interface Operation {
  summary: string;
  parameters?: readonly Parameter[];
  responses: Record<string, { content?: Record<string, unknown> }>;
}
interface Description {
  paths: Record<string, { get?: Operation }>;
  components: { parameters?: Record<string, Parameter> };
}

const MOST_CHARACTERS = 20_000;

async function readDescription(): Promise<Description> {
  const answer = await fetch(`${nodeUrl}/openapi.json`, {
    headers: { accept: 'application/json' },
  });
  if (!answer.ok) throw new Error(`the description was answered with ${answer.status}`);
  return (await answer.json()) as Description;
}

export function TryRead() {
  const found = useQuery({
    queryKey: ['/openapi.json'],
    queryFn: readDescription,
    staleTime: Infinity,
    meta: { pace: 'fixed' } satisfies ReadMeta,
  });
  const { read: asked = '/v1/network', find = '' } = useSearch({ from: '/developers' });
  const go = useNavigate({ from: '/developers' });
  const [looked, setLooked] = useState(find);
  const [path = ''] = asked.split('?');
  const reads = useMemo(() => readsOf(found.data), [found.data]);
  if (!found.data) {
    return (
      <div className="card">
        {found.isError ? (
          <ErrorNote
            error={found.error}
            what="The description of the interface could not be read."
          />
        ) : (
          <Skeleton lines={8} />
        )}
      </div>
    );
  }
  const within = looked.trim().toLowerCase();
  const shown = reads.filter(
    (one) => within === '' || `${one.path} ${one.summary}`.toLowerCase().includes(within),
  );
  const read = reads.find((one) => one.path === path);
  return (
    <div className="try">
      <Card title={`Reads (${reads.length})`}>
        <div className="inside stack-small">
          <TextField
            label="Find a read"
            value={looked}
            change={(value) => {
              setLooked(value);
              void go({
                search: (search) => ({ ...search, find: value }),
                replace: true,
                resetScroll: false,
              });
            }}
          />
          <ul className="try-list">
            {shown.map((one) => (
              <li key={one.path}>
                <button
                  type="button"
                  aria-pressed={one.path === path}
                  onClick={() =>
                    void go({
                      search: (search) => ({ ...search, read: one.path }),
                      resetScroll: false,
                    })
                  }
                >
                  <code>{one.path}</code>
                  <span className="soft">{one.summary}</span>
                </button>
              </li>
            ))}
          </ul>
          {shown.length === 0 && <p className="soft">No read matches.</p>}
        </div>
      </Card>
      {read ? <Ask key={path} read={read} /> : <Empty title="Choose a read" />}
    </div>
  );
}

interface Read {
  path: string;
  summary: string;
  parameters: readonly Parameter[];
}

function readsOf(description: Description | undefined): Read[] {
  if (!description) return [];
  const { components, paths } = description;
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (!get || !('application/json' in (get.responses['200']?.content ?? {}))) return [];
    const parameters = (get.parameters ?? []).flatMap((one) => {
      const known = one.$ref ? components.parameters?.[one.$ref.split('/').at(-1) ?? ''] : one;
      return known ? [known] : [];
    });
    return [{ path, summary: get.summary, parameters }];
  });
}

function Ask({ read }: { read: Read }) {
  const { path, summary, parameters } = read;
  const { read: typedPath = '' } = useSearch({ from: '/developers' });
  const go = useNavigate({ from: '/developers' });
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(new URLSearchParams(typedPath.split('?')[1] ?? '')),
  );
  const type = (name: string, value: string): void => {
    const all = { ...typed, [name]: value };
    setTyped(all);
    const filled = new URLSearchParams(all).toString();
    void go({
      search: (search) => ({ ...search, read: `${path}?${filled}` }),
      replace: true,
      resetScroll: false,
    });
  };
  const of = (where: string): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === where)
        .map(({ name }) => [name, (typed[name] ?? '').trim()]),
    );
  const question: ReadQuestion = { path, inPath: of('path'), query: of('query') };
  const asked = requestPath(question);
  const isWhole = Object.values(question.inPath).every((value) => value !== '');
  const asking = useMutation({
    mutationFn: async () => {
      const answer = await fetch(nodeUrl + asked, { headers: { accept: 'application/json' } });
      const text = await answer.text();
      return { status: answer.status, text: pretty(text) };
    },
  });
  return (
    <div className="stack">
      <Card title={<code>{path}</code>}>
        <form
          className="inside wallet-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (isWhole) asking.mutate();
          }}
        >
          <p className="soft">{summary}</p>
          {parameters.map(({ name, in: where, description = '', schema }) => (
            <TextField
              key={name}
              label={where === 'path' ? name : `${name} (optional)`}
              value={typed[name] ?? ''}
              change={(value) => type(name, value)}
              hint={schema?.enum ? `One of ${schema.enum.join(', ')}.` : description}
            />
          ))}
          <p className="chips">
            <button type="submit" className="button primary" disabled={!isWhole}>
              Ask
            </button>
            {!isWhole && <span className="soft">Fill in the parts of the path first.</span>}
          </p>
        </form>
      </Card>
      {asking.isError && <ErrorNote error={asking.error} what="The read failed." />}
      {asking.data && (
        <Card
          title="Answer"
          aside={
            <span className="chip" data-tone={asking.data.status < 400 ? 'money' : 'trouble'}>
              {asking.data.status}
            </span>
          }
        >
          <div className="inside answer" role="region" aria-label="Answer" tabIndex={0}>
            <Code text={asking.data.text} />
          </div>
        </Card>
      )}
      <Card title="The same in code">
        <div className="inside">
          <SampleCode samples={readSamples(nodeUrl, question)} />
        </div>
      </Card>
    </div>
  );
}

function pretty(text: string): string {
  try {
    const whole = visibleJson(JSON.parse(text) as unknown, 2);
    return whole.length <= MOST_CHARACTERS
      ? whole
      : `${whole.slice(0, MOST_CHARACTERS)}\n… ${whole.length - MOST_CHARACTERS} more characters`;
  } catch {
    return text.slice(0, MOST_CHARACTERS);
  }
}
