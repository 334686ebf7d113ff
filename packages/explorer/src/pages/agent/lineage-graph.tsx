import { Link } from '@tanstack/react-router';
import { shortId } from '../../words/ids.ts';
import { placeLineage, type Referral } from '../../words/lineage.ts';

const WIDE = 190;
const TALL = 44;
const BOX = { width: 150, height: 30 };

export function LineageGraph({
  root,
  self,
  referrals,
  earning,
}: {
  root: string;
  self: string;
  referrals: readonly Referral[];
  /** Recruits that count for rewards. */
  earning: ReadonlySet<string>;
}) {
  const { agents, columns, rows } = placeLineage(root, referrals);
  const places = new Map(
    agents.map(({ agentId, column, row }) => [agentId, { x: column * WIDE, y: row * TALL }]),
  );
  const width = (columns - 1) * WIDE + BOX.width + 4;
  const height = (rows - 1) * TALL + BOX.height + 4;
  return (
    <div className="lineage-graph" tabIndex={0} role="group" aria-label="Lineage as a graph">
      <svg width={width} height={height} viewBox={`-2 -2 ${width} ${height}`}>
        {referrals.map(({ agentId, referrerAgentId }) => {
          const from = places.get(referrerAgentId);
          const to = places.get(agentId);
          if (!from || !to) return null;
          const [x, y] = [from.x + BOX.width, from.y + BOX.height / 2];
          const [endX, endY] = [to.x, to.y + BOX.height / 2];
          const middle = (x + endX) / 2;
          return (
            <path
              key={agentId}
              className="lineage-edge"
              data-earns={earning.has(agentId)}
              d={`M${x} ${y}C${middle} ${y} ${middle} ${endY} ${endX} ${endY}`}
            />
          );
        })}
        {agents.map(({ agentId }) => {
          const { x, y } = places.get(agentId) ?? { x: 0, y: 0 };
          return (
            <Link
              key={agentId}
              to="/agents/$agentId"
              params={{ agentId }}
              search={{ tab: 'lineage' }}
              resetScroll={false}
              className="lineage-node"
              data-self={agentId === self}
            >
              <rect x={x} y={y} width={BOX.width} height={BOX.height} rx="8" />
              <text x={x + BOX.width / 2} y={y + BOX.height / 2}>
                {shortId(agentId, 18)}
              </text>
              <title>{agentId}</title>
            </Link>
          );
        })}
      </svg>
    </div>
  );
}
