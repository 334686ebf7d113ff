/** Chain names can repeat. */
import { canonicalize, utf8Bytes, utf8Text } from '@netd/protocol';
import { AgentError } from './agent-error.ts';
import type { AgentState } from './home.ts';

const FILE = 'genesis.json';

/** @throws AgentError CHAIN_REPLACED if the state belongs to another chain of this name; STATE_INVALID */
export async function bindToGenesis(
  state: AgentState,
  { chainId, genesisHash }: { chainId: string; genesisHash: string },
): Promise<void> {
  const bytes = await state.get(FILE);
  if (bytes === null) {
    const binding = { schema: 'NET-AGENT-STATE/1', chainId, genesisHash };
    await state.put(FILE, utf8Bytes(canonicalize(binding)));
    return;
  }
  const bound = genesisHashOf(bytes);
  if (bound === genesisHash) return;
  const place = state.path;
  const move =
    place === undefined
      ? `they are of the genesis ${bound}: give another home`
      : `move ${place} to ${place}.of-${bound.slice(0, 8)}`;
  throw new AgentError('CHAIN_REPLACED', move);
}

function genesisHashOf(bytes: Uint8Array): string {
  try {
    const { genesisHash } = JSON.parse(utf8Text(bytes)) as { genesisHash?: unknown };
    if (typeof genesisHash === 'string') return genesisHash;
  } catch {
    // refused below
  }
  throw new AgentError('STATE_INVALID', FILE);
}
