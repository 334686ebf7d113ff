import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { reading } from '../../chain/client.ts';
import { allEvents, eventsOf } from '../../chain/events-of.ts';
import { Actor, Hash, When } from '../../marks/names.tsx';
import { Card, ErrorNote, Fact, Facts, SkeletonCard } from '../../ui/parts.tsx';
import { count, counted } from '../../words/amount.ts';
import type { ChainEvent } from '../../words/stream.ts';
import { TokensHeld } from '../../marks/tokens-held.tsx';

const KEYS = /^AgentRegistered$|^AgentKey|^AgentRecovery|^AgentGuardians/;
const GENERATIONS = 5;

export const keyEvents = (agentId: string) =>
  eventsOf(
    'keys',
    { agent: agentId },
    ({ type, data }) =>
      KEYS.test(type) && (data['agentId'] === agentId || data['recoveringAgentId'] === agentId),
  );

/** Returns heights of the last beacon, and of the last message or acknowledgement; null for never. */
function lastOf(events: readonly ChainEvent[], agentId: string) {
  const find = (isOne: (event: ChainEvent) => boolean): number | null =>
    events.find(isOne)?.height ?? null;
  return {
    beacon: find(({ type, data }) => type === 'BeaconPublished' && data['agentId'] === agentId),
    answer: find(
      ({ type, data }) =>
        (type === 'AgentMessageSent' && data['fromAgentId'] === agentId) ||
        (type === 'AgentMessageAcknowledged' && data['toAgentId'] === agentId),
    ),
  };
}

export function Kept({ agentId }: { agentId: string }) {
  const operations = useQuery(reading('/v1/agents/{agentId}/operations', { agentId }));
  const memory = useQuery(
    reading('/v1/memory/checkpoints', { agentId, limit: GENERATIONS }, 'held'),
  );
  const list = useInfiniteQuery(allEvents(agentId));
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  const last = lastOf(events, agentId);
  const { data } = operations;
  if (!data)
    return operations.isError ? (
      <ErrorNote error={operations.error} what="Its messages and its memory could not be read." />
    ) : (
      <SkeletonCard lines={4} />
    );
  const { messages, continuity } = data;
  return (
    <>
      <Card title="Last seen" aside={<span className="soft">unverified</span>}>
        <Facts>
          <Fact name="Last beacon">
            {last.beacon === null ? 'not recently' : <When at={last.beacon} />}
          </Fact>
          <Fact name="Last message">
            {last.answer === null ? 'not recently' : <When at={last.answer} />}
          </Fact>
          <Fact name="Messages">
            {count(messages.sent)} sent, {count(messages.received)} received,{' '}
            {count(messages.waiting)} waiting
          </Fact>
        </Facts>
      </Card>
      <Card
        title="Memory"
        aside={<span className="soft">{counted(continuity.checkpoints, 'checkpoint')}</span>}
      >
        <Facts>
          {memory.data?.checkpoints.map(({ generation, checkpointHash, committedAt }) => (
            <Fact key={checkpointHash} name={`Generation ${count(generation)}`}>
              <Hash hash={checkpointHash} /> <When at={committedAt.height} />
            </Fact>
          ))}
          <Fact name="Runs with">
            {continuity.activeRuntime === null ? (
              'no provider named'
            ) : (
              <Actor id={continuity.activeRuntime.providerId} />
            )}
          </Fact>
        </Facts>
      </Card>
      <TokensHeld agentId={agentId} />
    </>
  );
}
