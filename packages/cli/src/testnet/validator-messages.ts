import type { LogOptions } from '../error-log.ts';

export interface ValidatorStart {
  dataDir: string;
  port: number;
  engine: { binary: string; p2pAddress: string; peers: string[] };
  logOptions: LogOptions;
}

/** Sent once the validator is connected to the others and answers requests. */
export interface ValidatorMessage {
  kind: 'up';
  url: string;
  height: number;
}
