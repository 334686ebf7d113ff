import { BLOBS_CAPABILITY, lastEventId } from '@netd/protocol';
import { NetClient } from '@netd/sdk';
import { pause } from '@netd/sdk/internal';
import { Content } from './content.ts';
import { Echo } from './echo.ts';
import { Judging } from './judging.ts';
import { httpsOf, Member, PRESENCE, type House } from './member.ts';
import { Probe } from './probe.ts';
import { digestOf } from './replay.ts';
import { Requester } from './requester.ts';
import type { FromHouse, StaffKey, StartHouse } from './staff.ts';
import { Verifiers } from './verifiers.ts';

interface HouseOptions {
  tell: (what: FromHouse) => void;
  signal: AbortSignal;
}

const BEACON_CHECK_MILLISECONDS = 60_000;
const KEEPER_DESCRIPTION =
  'Keeps blobs for the operator of this devnet, beside the others on the same machine: two names, one disk.';

/**
 * Runs until the signal aborts.
 * @throws on unexpected errors; after a restart it resumes from the chain
 */
export async function openHouse(
  { url, staff, places, trustedStores = [], presence = PRESENCE, probeEvery }: StartHouse,
  { tell, signal }: HouseOptions,
): Promise<void> {
  const client = new NetClient({ url });
  // Read the height first, so that the feed covers everything after it.
  const { chainId, height, blockTimeMs } = await client.network();
  // Wait until the chain has the writes of an earlier process. Otherwise they would be repeated.
  await pause(2 * blockTimeMs, signal);
  const names = new Set(
    [...staff.verifiers, ...staff.keepers, staff.echo, staff.requester].map(
      ({ actorId }) => actorId,
    ),
  );
  const isOurs = (actorId: string): boolean => names.has(actorId);
  const judging = new Judging((range) => digestOf(client, range), signal);
  const facts = { client, chainId, places, trustedStores, isOurs };
  const house: House = { ...facts, presence, judging, tell, signal };
  const open = (keys: readonly StaffKey[]): Promise<Member[]> =>
    Promise.all(keys.map((key) => Member.open(house, key)));
  const content = new Content(house);
  const keepers = await open(staff.keepers);
  const { policy } = await client.read('/v1/validation');
  const verifierMembers = await open(staff.verifiers);
  const verifiers = new Verifiers(verifierMembers, content, policy.minimumFunding);
  const [echoMember, requesterMember] = await open([staff.echo, staff.requester]);
  if (!echoMember || !requesterMember) throw new Error('the house has an echo and a requester');
  const echo = new Echo(echoMember, content);
  const requester = new Requester(requesterMember, policy.minimumFunding, echo.actorId, content);
  const [probeMember] = await open(staff.probe ? [staff.probe] : []);
  const probe = probeMember && new Probe(probeMember, content, requester.actorId);
  const keepKeepers = async (): Promise<void> => {
    await Promise.all(
      keepers.map((keeper) =>
        keeper.keepBeacon({
          description: KEEPER_DESCRIPTION,
          capabilities: [BLOBS_CAPABILITY],
          protocols: ['netd-blobs/1'],
          endpoint: httpsOf(places.find(({ providerId }) => providerId === keeper.actorId)),
        }),
      ),
    );
  };

  // Start the keepers first, because the other agents store their metadata there.
  await Promise.all(keepers.map((keeper) => keeper.join(KEEPER_DESCRIPTION)));
  await keepKeepers();
  const { operators } = await client.read('/v1/genesis').then(({ policy: bounds }) => bounds);
  await Promise.all([
    verifiers.takeUp(operators.minimumBonds.verifier),
    echo.takeUp(),
    requester.takeUp(),
  ]);
  const after = lastEventId(height);
  const feeds = [
    ...(['WorkCommitteeDrawn', 'WorkRevealOpened'] as const).map((type) =>
      follow(house, { after, type }, ({ data }) => {
        const { orderId, verifierIds } = data as { orderId: string; verifierIds: string[] };
        if (verifierIds.some((id) => verifiers.isOurs(id))) void verifiers.drawn(orderId);
      }),
    ),
    follow(house, { after, agent: requester.actorId }, ({ type, data }) => {
      const { orderId, workerId, requesterId } = data as Record<string, string>;
      if (type === 'Transferred') void requester.moneyCame();
      if (requesterId !== requester.actorId || orderId === undefined) return;
      const isEnd = type === 'WorkOrderPaid' || type === 'WorkOrderRejected';
      if (probe && workerId === probe.actorId) {
        if (isEnd) probe.ended(orderId);
      } else requester.workers.heard({ type, data });
      if (type === 'WorkVerified') void requester.verified(orderId);
      if (type === 'WorkUnjudged') requester.unjudged(orderId);
      if (type === 'WorkAccepted') void requester.taken(orderId, workerId ?? '');
      if (type === 'WorkOrderReopened' || type === 'WorkOrderRejected') {
        void requester.lookAgain();
      }
    }),
    follow(house, { after, agent: echo.actorId }, ({ type, data }) => {
      if (type === 'AgentMessageSent' && data['toAgentId'] === echo.actorId) echo.lookAgain();
    }),
  ];
  await verifiers.catchUp();
  echo.lookAgain();
  tell({ kind: 'ready' });
  // At the full block rate, three checks fit into the margin.
  const look = Math.min(BEACON_CHECK_MILLISECONDS, (presence.margin * blockTimeMs) / 3);
  const beacons = async (): Promise<void> => {
    for (;;) {
      await pause(look, signal);
      if (signal.aborted) return;
      try {
        await keepKeepers();
        await verifiers.keepBeacons();
        await Promise.all([echo.keepBeacon(), requester.keepBeacon()]);
      } catch (error) {
        tell({ kind: 'say', text: `a beacon was not renewed: ${(error as Error).message}` });
      }
    }
  };
  await Promise.all([...feeds, beacons(), probe?.run(probeEvery)]);
}

type Feed = Parameters<NetClient['events']>[0];
type FeedEvent = { type: string; data: Record<string, unknown> };

async function follow(
  { client, signal }: House,
  filter: Feed,
  act: (event: FeedEvent) => void,
): Promise<void> {
  for await (const event of client.events({ ...filter, signal })) act(event);
}
