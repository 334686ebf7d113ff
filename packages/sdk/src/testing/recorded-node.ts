/** A node with one agent, behind a proxy that records requests and can withhold answers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@netd/node';
import type { JsonObject } from '@netd/protocol';
import { AgentKey } from '../agent-key.ts';
import { NetClient, type Actor } from '../client.ts';
import { RecordingProxy } from './recording-proxy.ts';

export interface RecordedNode {
  proxy: RecordingProxy;
  ada: Actor;
  /** Past the proxy, as ada. */
  direct: NetClient;
  /** A new client before the proxy, as ada; nothing is written down yet and nothing kept back. */
  freshClient: () => NetClient;
  sentIntents: () => JsonObject[];
  stop: () => Promise<void>;
}

export async function startRecordedNode(): Promise<RecordedNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-sdk-recorded-'));
  const running = await serve({ host: '127.0.0.1', port: 0, dataDir, blockTime: 1 });
  const proxy = await RecordingProxy.before(running.url);
  const ada = { actorId: 'ada', key: await AgentKey.generate() };
  const direct = new NetClient({ url: running.url, actor: ada });
  await direct.register(ada);
  return {
    proxy,
    ada,
    direct,
    freshClient: () => {
      proxy.interfere = () => undefined;
      proxy.taken();
      return new NetClient({ url: proxy.url, actor: ada });
    },
    sentIntents: () =>
      proxy.requests
        .filter(({ path }) => path === '/v1/intents')
        .map(({ body }) => JSON.parse(body) as JsonObject),
    stop: async () => {
      proxy.close();
      await running.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
