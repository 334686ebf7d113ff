/** A small network for the commands of a test file, and agents whose keys lie where commands look for them. */
import { join } from 'node:path';
import { Agent } from '@netd/sdk';
import { stage } from '@netd/sdk/testing/staged';
import type { World } from '@netd/sdk/testing/world';

/**
 * Call it once at the top of a file; what it answers has the world from the first test on. Commands of this process
 * act in it as `ada` or `bob` from then on.
 */
export function smallWorld({
  staffed = false,
  prepare = async () => {},
}: { staffed?: boolean; prepare?: (world: World) => Promise<void> } = {}): { world: World } {
  return stage({
    staffed,
    prepare: async (world) => {
      process.env['NET_HOME'] = join(world.home, 'keys');
      process.env['NET_DATA_DIR'] = join(world.home, 'chain');
      process.env['NET_URL'] = world.node.url;
      process.env['NET_BLOBS'] = world.origins.join(',');
      for (const name of ['ada', 'bob']) {
        const agent = await Agent.open(name, world.options({ memory: false }));
        await agent.stop();
      }
      await prepare(world);
    },
  });
}
