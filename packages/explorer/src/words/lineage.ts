/** Places a family tree: a column per generation, and recruiters beside their recruits. */

export interface Referral {
  agentId: string;
  referrerAgentId: string;
}

interface PlacedAgent {
  agentId: string;
  column: number;
  /** Row of the agent. A recruiter between two recruits has a half row. */
  row: number;
}

export interface Placed {
  agents: PlacedAgent[];
  columns: number;
  rows: number;
}

export function placeLineage(root: string, referrals: readonly Referral[]): Placed {
  const recruits = Map.groupBy(referrals, ({ referrerAgentId }) => referrerAgentId);
  const agents: PlacedAgent[] = [];
  const seen = new Set<string>();
  let rows = 0;
  let columns = 0;
  const place = (agentId: string, column: number): number => {
    seen.add(agentId);
    columns = Math.max(columns, column + 1);
    const below = (recruits.get(agentId) ?? [])
      // A node's data could contain a cycle.
      .filter((one) => !seen.has(one.agentId))
      .map((one) => place(one.agentId, column + 1));
    const row = below.length === 0 ? rows++ : ((below[0] ?? 0) + (below.at(-1) ?? 0)) / 2;
    agents.push({ agentId, column, row });
    return row;
  };
  place(root, 0);
  return { agents, columns, rows };
}
