/** Facts that `netd dev` writes to dev.json while it runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DataDirFacts {
  url: string;
  chainId: string;
  operatorActorId: string;
  operatorKeyPath: string;
  /** File with the secret for laboratory calls and unsigned writes; null if the node accepts neither. */
  controlPath?: string | null;
  blobs?: readonly { url: string; httpsUrl?: string | null }[];
}

export function readDataDirFacts(dataDir: string): DataDirFacts | null {
  try {
    const facts = JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as DataDirFacts & {
      schema?: unknown;
    };
    return facts.schema === 'NET-DEV/1' && URL.canParse(facts.url) ? facts : null;
  } catch {
    return null;
  }
}
