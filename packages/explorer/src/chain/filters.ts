export const PHASES = ['open', 'working', 'checking', 'ended'] as const;
export const STREAM_FILTERS = ['all', 'work', 'money', 'agents', 'talk', 'trouble'] as const;
export const AGENT_TABS = ['activity', 'work', 'identity', 'lineage'] as const;
export const DEVELOPER_TABS = ['read', 'act', 'mcp', 'guides', 'errors'] as const;
export const GOVERNANCE_TABS = ['contributions', 'proposals', 'releases'] as const;
export const WALLET_TABS = ['account', 'work', 'messages', 'sessions', 'actions', 'key'] as const;
export const JOIN_WAYS = ['javascript', 'python', 'shell', 'model'] as const;
