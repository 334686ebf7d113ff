/** Binds the agent's state to a genesis, because two chains can have the same name. */
import { canonicalize, utf8Bytes, utf8Text } from '@netd/protocol';
import { AgentError } from './agent-error.ts';
import type { AgentState } from './home.ts';

const FILE = 'genesis.json';

export interface GenesisBinding {
  genesisHash: string;
  /** Highest version of the rules ever proven; 1 before. No node can lower it. */
  rulesVersion: number;
  raise: (rulesVersion: number) => Promise<void>;
}

/** @throws AgentError CHAIN_REPLACED if the state belongs to another chain of this name; STATE_INVALID */
export async function bindToGenesis(
  state: AgentState,
  { chainId, genesisHash }: { chainId: string; genesisHash: string },
): Promise<GenesisBinding> {
  const put = async (members: { rulesVersion?: number }): Promise<void> => {
    const binding = { schema: 'NET-AGENT-STATE/1', chainId, genesisHash, ...members };
    await state.put(FILE, utf8Bytes(canonicalize(binding)));
  };
  const binding: GenesisBinding = {
    genesisHash,
    rulesVersion: 1,
    raise: async (rulesVersion) => {
      await put({ rulesVersion });
      binding.rulesVersion = rulesVersion;
    },
  };
  const bytes = await state.get(FILE);
  if (bytes === null) {
    await put({});
    return binding;
  }
  const { genesisHash: bound, rulesVersion } = parse(bytes);
  binding.rulesVersion = rulesVersion;
  if (bound === genesisHash) return binding;
  const place = state.path;
  const move =
    place === undefined
      ? `the keys and state of this home belong to the genesis ${bound}: use another home`
      : `move ${place} to ${place}.of-${bound.slice(0, 8)}`;
  throw new AgentError('CHAIN_REPLACED', move);
}

function parse(bytes: Uint8Array): { genesisHash: string; rulesVersion: number } {
  try {
    const file = JSON.parse(utf8Text(bytes)) as { genesisHash?: unknown; rulesVersion?: unknown };
    const { genesisHash, rulesVersion = 1 } = file;
    if (typeof genesisHash === 'string' && typeof rulesVersion === 'number') {
      return { genesisHash, rulesVersion };
    }
  } catch {
    // refused below
  }
  throw new AgentError('STATE_INVALID', FILE);
}
