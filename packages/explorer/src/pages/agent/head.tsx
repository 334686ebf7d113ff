/** Head of an agent's page, at the newest height and at earlier ones. */
import type { ReactNode } from 'react';
import { NameWarnings } from '../../marks/likeness.tsx';
import { Face } from '../../marks/names.tsx';
import { Said } from '../../ui/said.tsx';

/** @param description of the agent, in its own words */
export function AgentHeading({
  agentId,
  description,
}: {
  agentId: string;
  description: string | undefined;
}) {
  return (
    <div className="titled">
      <Face id={agentId} size={44} />
      <div>
        <h1>
          {agentId} <NameWarnings kind="agent" id={agentId} />
        </h1>
        {description !== undefined && (
          <p className="soft">
            <Said text={description} />
          </p>
        )}
      </div>
    </div>
  );
}

/** Leaves out what is null. */
export function AgentChips({
  status,
  isOnline,
  roles,
  children,
}: {
  status: string | null;
  isOnline: boolean | null;
  roles: readonly string[];
  children?: ReactNode;
}) {
  return (
    <div className="chips">
      {status !== null && (
        <span className="chip" data-tone={status === 'active' ? 'money' : 'trouble'}>
          {status}
        </span>
      )}
      {isOnline !== null && (
        <span className="chip" data-tone={isOnline ? 'agents' : undefined}>
          {isOnline ? 'online' : 'offline'}
        </span>
      )}
      {roles.map((role) => (
        <span key={role} className="chip" data-tone="memory">
          {role.toLowerCase()}
        </span>
      ))}
      {children}
    </div>
  );
}
