/** What the process of a testnet and those of its validators tell each other. */
import type { LogOptions } from '../error-log.ts';

export interface ValidatorStart {
  dataDir: string;
  /** For HTTP. */
  port: number;
  engine: { binary: string; p2pAddress: string; peers: string[] };
  logOptions: LogOptions;
}

/** It has met the others and answers. */
export interface ValidatorMessage {
  kind: 'up';
  url: string;
  height: number;
}
