import { VERSION } from '@netd/protocol/version';
import type { Player } from '../cast.ts';
import { moveTo, type Deadline } from '../chain-time.ts';
import { act, expectRefusal, pause, type Stage } from '../stage.ts';

const ATTEMPTS = 5;
const PULSE_MILLISECONDS = 4_000;
const SOON_MILLISECONDS = 200;

export async function heartbeats(stage: Stage): Promise<void> {
  const { providers, validator } = stage.cast;
  await Promise.all([
    ...providers.map((provider, i) =>
      beat(stage, provider, {
        action: 'submitNodeHeartbeat',
        member: 'agentId',
        countryCode: i === 0 ? 'FI' : 'IT',
      }),
    ),
    beat(stage, validator, {
      action: 'submitValidatorHeartbeat',
      member: 'validatorId',
      countryCode: 'DE',
    }),
  ]);
}

/** Waits for the deadline. Heartbeats keep an idle chain producing blocks. */
export async function waitFor(stage: Stage, deadline: Deadline): Promise<void> {
  const { height, time } = deadline;
  for (;;) {
    await heartbeats(stage);
    if (await moveTo(stage, deadline)) return;
    const rest = Date.parse(time) - Date.now();
    if (rest <= 0 && (await stage.client.network()).height >= height) return;
    await pause(stage, Math.min(Math.max(rest, SOON_MILLISECONDS), PULSE_MILLISECONDS));
  }
}

interface Beat {
  action: string;
  member: 'agentId' | 'validatorId';
  countryCode: string;
}

async function beat(
  stage: Stage,
  player: Player,
  { action, member, countryCode }: Beat,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { height, stateRoot } = await stage.client.get<{ height: number; stateRoot: string }>(
      '/v1/network',
    );
    try {
      await act(stage, player, action, {
        [member]: player.actorId,
        // Heights also increase from run to run, as sequences must.
        sequence: height,
        observedHeight: height,
        observedStateRoot: stateRoot,
        nodeVersion: `netd/${VERSION}`,
        endpoint: `https://${player.name}.example/node`,
        region: 'eu',
        countryCode,
        faultDomain: player.name,
      });
      return;
    } catch (error) {
      // The list of recent roots lacks a new empty block, or the height has not changed.
      expectRefusal(error, 'HEARTBEAT_ROOT_MISMATCH', 'HEARTBEAT_SEQUENCE_STALE');
      if (attempt === ATTEMPTS) throw error;
    }
  }
}
