/** A devnet in this process, with short windows that a test can wait for, and optional blob stores. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveBlobs, type RunningBlobs } from '@netd/blobs';
import { serve, type RunningNode } from '@netd/node';
import { FAST_CHAIN_ID, makeFastDevnet } from '@netd/testkit/fast-devnet';

export interface Devnet {
  /** A new directory. It contains the data directory `chain` and the key directory `keys`. */
  home: string;
  dataDir: string;
  operatorKeyPath: string;
  node: RunningNode;
  blobs: RunningBlobs[];
  stop: () => Promise<void>;
}

export async function startDevnet({
  chainId = FAST_CHAIN_ID,
  stores = 0,
}: { chainId?: string; stores?: number } = {}): Promise<Devnet> {
  const home = mkdtempSync(join(tmpdir(), 'netd-cli-here-'));
  const dataDir = join(home, 'chain');
  const operatorKeyPath = join(dataDir, 'keys', 'operator.json');
  makeFastDevnet(dataDir, { chainId });
  const local = { host: '127.0.0.1', port: 0 };
  const node = await serve({ ...local, dataDir, blockTime: 1, idleBlockTime: 100 });
  const blobs: RunningBlobs[] = [];
  for (let i = 0; i < stores; i++) {
    blobs.push(
      await serveBlobs({ ...local, dataDir: join(home, `blobs-${i}`), nodeUrl: node.url }),
    );
  }
  const stop = async (): Promise<void> => {
    for (const one of blobs) await one.stop();
    await node.stop();
    rmSync(home, { recursive: true, force: true });
  };
  return { home, dataDir, operatorKeyPath, node, blobs, stop };
}

/** Writes the same dev.json as `netd dev`. */
export function writeDevJson({ dataDir, node, operatorKeyPath }: Devnet): void {
  const { chainId } = node.node.chain.identity;
  const facts = { url: node.url, chainId, operatorActorId: 'operator', operatorKeyPath };
  writeFileSync(join(dataDir, 'dev.json'), JSON.stringify({ schema: 'NET-DEV/1', ...facts }));
}
