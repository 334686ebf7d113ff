import { expireHandover } from '../../actions/memory/handover.ts';
import type { SystemTransition } from '../../transition.ts';

export const expireMemoryHandover: SystemTransition = {
  summary: 'Nobody ended a handover in time: it is aborted, and the agent can prepare another one.',
  events: ['MemoryHandoverExpired'],
  apply(context, handoverId) {
    const handover = context.state.get('memory-handover', handoverId);
    if (!handover) throw new Error(`there is no handover ${handoverId}`);
    expireHandover(context, handover);
  },
};
