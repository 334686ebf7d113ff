/** A small network for a test file, with agents whose keys are where commands look for them. */
import { join } from 'node:path';
import { Agent } from '@netd/sdk';
import { stage } from '@netd/sdk/testing/staged';
import type { World } from '@netd/sdk/testing/world';

/**
 * Call it once at the top of a file. The returned object has the world once tests run. From then on, commands
 * in this process act as `ada` or `bob`.
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
