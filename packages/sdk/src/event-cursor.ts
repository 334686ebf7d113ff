/** Cursors of events. One names its chain, its event and the event's block; both SDKs read the same form. */
import { refuseArgument } from './agent/core-error.ts';

const CURSOR =
  /^((?:0|[1-9][0-9]{0,14})\.(?:0|[1-9][0-9]{0,4}))\.([a-f0-9]{64})(?:\.([a-f0-9]{64}))?$/;

export function cursorOf(
  genesisHash: string,
  { id, blockHash }: { id: string; blockHash?: string | undefined },
): string {
  return blockHash === undefined ? `${id}.${genesisHash}` : `${id}.${genesisHash}.${blockHash}`;
}

/** @throws AgentError ARGUMENT_INVALID if it is no cursor of an event */
export function readCursor(since: string): {
  after: string;
  genesisHash: string;
  blockHash: string | undefined;
} {
  const [, after, genesisHash, blockHash] = CURSOR.exec(since) ?? [];
  if (after !== undefined && genesisHash !== undefined) return { after, genesisHash, blockHash };
  const detail = `since: ${JSON.stringify(since)} is no cursor; pass the cursor of an event unchanged`;
  return refuseArgument('since', detail);
}
