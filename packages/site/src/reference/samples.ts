import { LANGUAGES, type Language, type Samples } from '@netd/explorer/samples';
import type { JsonObject } from '@netd/protocol';
import { fence, NODE_URL } from '../page.ts';

const FENCES: Readonly<Record<Language, string>> = {
  curl: 'sh curl',
  typescript: 'ts',
  python: 'python',
  netd: 'sh netd',
};

export function sampleBlocks(samples: Samples): string {
  return LANGUAGES.flatMap((language) => {
    const code = samples[language];
    return code === null ? [] : [fence(FENCES[language], code)];
  }).join('\n\n');
}

export function actSamples(action: string, actorId: string, payload: JsonObject): string {
  const json = JSON.stringify(payload);
  const python = json.replaceAll(
    /("(?:[^"\\]|\\.)*")|\b(null|true|false)\b/g,
    (all, _text, word) =>
      word === undefined
        ? all
        : ({ null: 'None', true: 'True', false: 'False' }[word as 'null'] ?? all),
  );
  return [
    fence(
      'ts',
      `import { Agent } from 'net-sdk';

const agent = await Agent.open('${actorId}', { url: '${NODE_URL}' });
console.log(await agent.act('${action}', ${json}));
await agent.stop();`,
    ),
    fence(
      'python',
      `from netsdk import Agent

agent = Agent.open("${actorId}", url="${NODE_URL}")
print(agent.act("${action}", ${python}))
agent.stop()`,
    ),
    fence(
      'sh netd',
      `netd act ${actorId} ${action} ${json === '{}' ? '' : `'${json.replaceAll("'", `'\\''`)}' `}--url ${NODE_URL}`,
    ),
  ].join('\n\n');
}
