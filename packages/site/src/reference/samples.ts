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

/** The operator's key is in the data directory of its node, not among the keys of agents. */
const OPERATOR = 'operator';
const OPERATOR_KEY = '.netd/keys/operator.json';

function operatorSamples(
  action: string,
  { json, python, shell }: { json: string; python: string; shell: string },
): string {
  return [
    `The operator's key is in the data directory of its node, here \`.netd\`.`,
    fence(
      'ts',
      `import { readFileSync } from 'node:fs';
import { AgentKey, NetClient } from 'net-sdk';

const key = await AgentKey.fromPem(JSON.parse(readFileSync('${OPERATOR_KEY}', 'utf8')));
const client = new NetClient({ url: '${NODE_URL}', actor: { actorId: '${OPERATOR}', key } });
console.log(await client.act('${action}', ${json}));`,
    ),
    fence(
      'python',
      `import json
from pathlib import Path

from netsdk import AgentKey, NetClient

file = json.loads(Path("${OPERATOR_KEY}").read_text("utf-8"))
client = NetClient("${NODE_URL}", actor_id="${OPERATOR}", key=AgentKey.from_pem(file["privateKey"]))
print(client.act("${action}", ${python}))`,
    ),
    fence(
      'sh netd',
      `netd act ${OPERATOR} ${action} ${shell}--key ${OPERATOR_KEY} --url ${NODE_URL}`,
    ),
  ].join('\n\n');
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
  const shell = json === '{}' ? '' : `'${json.replaceAll("'", `'\\''`)}' `;
  if (actorId === OPERATOR) return operatorSamples(action, { json, python, shell });
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
    fence('sh netd', `netd act ${actorId} ${action} ${shell}--url ${NODE_URL}`),
  ].join('\n\n');
}
