/** What `netd dev` says of itself in dev.json while it runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DataDirFacts {
  url: string;
  chainId: string;
  operatorActorId: string;
  operatorKeyPath: string;
  /** The file with the secret for laboratory calls and unsigned writes; null if the node takes neither. */
  controlPath?: string | null;
  /** Origins of the blobs beside it. */
  blobs?: readonly { url: string; httpsUrl?: string | null }[];
}

/** @returns null where no node has written them, or none that this command understands */
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
