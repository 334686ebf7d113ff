/** A node, blob stores, an operator that approves all, and the house process. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { TestContext } from 'node:test';
import { serveBlobs, type BlobLimits } from '@netd/blobs';
import { serve } from '@netd/node';
import { publicKeyHash } from '@netd/protocol';
import { Agent, AgentKey, memoryHome, NetClient, NetError } from '@netd/sdk';
import type { BlobPlace, FromHouse, PresenceSpan, StartHouse } from '../staff.ts';
import { newKey } from './new-key.ts';

const HOST = '127.0.0.1';
const NEVER = 100_000_000;

interface WorldOptions {
  verifiers?: number;
  places?: number;
  limits?: Partial<BlobLimits>;
  presence?: PresenceSpan;
  /** More trusted stores. */
  trustedStores?: readonly string[];
  /** Milliseconds. */
  blockTime?: number;
  probe?: boolean;
  /** Milliseconds; never by default. */
  idleBlockTime?: number;
}

interface HouseProcess {
  child: ChildProcess;
  /** 'ready', or the reason why it ended before. */
  settled: Promise<string>;
}

export interface HouseWorld {
  client: NetClient;
  url: string;
  places: readonly BlobPlace[];
  start: StartHouse;
  said: readonly string[];
  startHouse: () => HouseProcess;
}

/** All processes end with the test. */
export async function openWorld(
  t: Pick<TestContext, 'after'>,
  {
    verifiers = 1,
    places: placeCount = 1,
    limits = {},
    probe = false,
    ...options
  }: WorldOptions = {},
): Promise<HouseWorld> {
  const home = mkdtempSync(join(tmpdir(), 'netd-house-'));
  const { presence, trustedStores = [], blockTime = 20, idleBlockTime = NEVER } = options;
  const dataDir = join(home, 'chain');
  const node = await serve({ host: HOST, port: 0, dataDir, blockTime, idleBlockTime });
  const { url } = node;
  const numbered = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
  const services = await Promise.all(
    numbered(placeCount).map((i) =>
      serveBlobs({ host: HOST, port: 0, nodeUrl: url, dataDir: join(home, `blobs-${i}`), limits }),
    ),
  );
  const places = services.map((service, i) => ({
    providerId: `house-blobs-${i + 1}`,
    url: service.url,
    httpsUrl: service.httpsUrl,
  }));
  const start: StartHouse = {
    kind: 'start',
    url,
    staff: {
      verifiers: numbered(verifiers).map((i) => newKey(`house-verifier-${i}`)),
      requester: newKey('house-requester'),
      echo: newKey('house-echo'),
      keepers: places.map(({ providerId }) => newKey(providerId)),
      ...(probe ? { probe: newKey('mila') } : {}),
    },
    places,
    trustedStores,
    probeEvery: 100,
    ...(presence === undefined ? {} : { presence }),
  };
  const client = new NetClient({ url });
  const { operator: file } = node.node.dataDir;
  const operator = { actorId: file.actorId, key: await AgentKey.fromPem(file) };
  const { verifiers: jury, keepers, requester, echo } = start.staff;
  for (const { actorId, publicKey } of [...jury, ...keepers, requester, echo]) {
    const hold = { actorId, publicKeyHash: publicKeyHash(publicKey) };
    await client.act(operator, 'reserveName', hold);
  }
  const children: ChildProcess[] = [];
  const said: string[] = [];
  t.after(async () => {
    for (const child of children) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await Promise.all(services.map((service) => service.stop()));
    await node.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const startHouse = (): HouseProcess => {
    const child = fork(new URL('../process.ts', import.meta.url), { execArgv: [] });
    children.push(child);
    const settled = Promise.withResolvers<string>();
    child.on('exit', (code) => settled.resolve(`ended with ${code}`));
    child.on('message', (message: FromHouse) => {
      if (message.kind === 'ready') settled.resolve('ready');
      if (message.kind === 'say') said.push(message.text);
      if (message.kind === 'answer') {
        const { orderId, answer } = message;
        void client.act(operator, 'publishAnswer', { orderId, answer });
      }
      if (message.kind !== 'applied') return;
      const { applicationId, independenceGroup } = message;
      const approval = { applicationId, independenceGroup };
      client.act(operator, 'createOperatorInvitation', approval).catch((error: unknown) => {
        // After a kill, an approved application may be reported again.
        if (!(error instanceof NetError)) throw error;
      });
    });
    child.send(start);
    return { child, settled: settled.promise };
  };
  return { client, url, places, start, said, startHouse };
}

export async function askEcho(
  t: Pick<TestContext, 'after'>,
  { url, places }: HouseWorld,
  question: string,
): Promise<string> {
  const ada = await Agent.open('ada', {
    url,
    blobs: places.map((place) => place.url),
    home: memoryHome(),
    memory: false,
    log: false,
  });
  t.after(() => ada.stop());
  return (await ada.ask('house-echo', question)).text;
}
