import { Height } from '@netd/protocol';
import { orNull, exactly, Type } from '@netd/protocol/type';

export const Trace = exactly(
  {
    rules: Type.Array(
      exactly({ code: Type.String(), path: Type.String(), holds: Type.Boolean() }),
      {
        description: 'The rules that were asked, in order, each by the code with which it refuses.',
      },
    ),
    reads: Type.Array(exactly({ key: Type.String(), value: Type.Unknown() }), {
      description: 'State keys that were read first, with the records before; null for none.',
    }),
    writes: Type.Array(
      exactly({ key: Type.String(), before: Type.Unknown(), after: Type.Unknown() }),
    ),
    timers: Type.Array(
      exactly({
        kind: Type.String({ description: 'The system transition that will come.' }),
        subject: Type.String(),
        height: orNull(Height),
        time: orNull(Type.Integer({ minimum: 0 })),
      }),
      {
        description:
          'Deadlines that were set: the height and the time in ms that both have to be reached; null if it was removed.',
      },
    ),
    nonce: orNull(exactly({ nonceHash: Type.String(), expiresAtHeight: Height })),
    events: Type.Array(
      exactly({ type: Type.String(), data: Type.Object({}, { additionalProperties: true }) }),
    ),
    refusal: orNull(exactly({ code: Type.String(), path: Type.String(), message: Type.String() })),
    leftOut: Type.Integer({
      minimum: 0,
      description: 'Entries and long values that are not told.',
    }),
  },
  { title: 'Trace', description: 'What one transition did, step by step.' },
);
