/** One world for the tests of a file, and what they wait for. */
import { after, before } from 'node:test';
import type { Agent } from '../agent.ts';
import type { AgentEventName, AgentEvents } from '../emitter.ts';
import { World } from './world.ts';

/** Call it once at the top of a file; what it answers has the world from the first test on. */
export function stage({
  staffed = false,
  prepare = async () => {},
}: { staffed?: boolean; prepare?: (world: World) => Promise<void> } = {}): { world: World } {
  const ends: (() => unknown)[] = [];
  const staged: { world: World } = { world: undefined as unknown as World };
  before(async () => {
    const end = { after: (one: () => unknown) => void ends.push(one) };
    staged.world = await World.start(end);
    if (staffed) await staged.world.staff();
    await prepare(staged.world);
  });
  after(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return staged;
}

/** The next event of this name that is the one. */
export function once<Name extends AgentEventName>(
  agent: Agent,
  name: Name,
  isIt: (event: AgentEvents[Name]) => boolean = () => true,
): Promise<AgentEvents[Name]> {
  return new Promise((resolve) => {
    const off = agent.on(name, (event) => {
      if (!isIt(event)) return;
      off();
      resolve(event);
    });
  });
}
