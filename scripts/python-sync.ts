/**
 * Derives the blocking Python client from the asynchronous one by replacing words, like httpcore and
 * Elasticsearch's clients. This works because neither half has logic.
 */

const RULES: readonly [RegExp, string][] = [
  [/\basync (def|with|for)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAsyncGenerator\[(.+?), None\]/g, 'Generator[$1, None, None]'],
  [/\bAsyncDriver\b/g, 'SyncDriver'],
  [/\bAsync([A-Z]\w*)/g, '$1'],
  [/\b__a(enter|exit|iter)__\b/g, '__$1__'],
  [/\ba(close|closing|iter_raw|iter_sse)\b/g, '$1'],
  [/, in asyncio\b/g, ', blocking'],
];

/** @returns Python: the blocking half of a module of `_async` */
export function blockingHalf(name: string, asynchronous: string): string {
  const head = `# Generated from _async/${name} by npm run build; neither edited nor committed.\n`;
  const text = RULES.reduce((so, [word, other]) => so.replaceAll(word, other), asynchronous);
  const left = /\b(?:async|await|asyncio|Async\w+)\b/.exec(text);
  if (left) throw new Error(`_async/${name}: no rule for ${left[0]}`);
  return head + text;
}
