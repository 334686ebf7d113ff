/** Messages between the process of a testnet and those of its validators. */
import type { LogOptions } from '../error-log.ts';

export interface ValidatorStart {
  dataDir: string;
  /** The port for HTTP. */
  port: number;
  engine: { binary: string; p2pAddress: string; peers: string[] };
  logOptions: LogOptions;
}

/** Sent once the validator is connected with the others and answers requests. */
export interface ValidatorMessage {
  kind: 'up';
  url: string;
  height: number;
}
