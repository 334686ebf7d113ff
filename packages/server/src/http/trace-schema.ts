/** For simulations and the past of a laboratory. */
import { Height } from '@netd/protocol';
import { Type } from '@netd/protocol/type';

const closed = { additionalProperties: false } as const;

export const Trace = Type.Object(
  {
    rules: Type.Array(
      Type.Object({ code: Type.String(), path: Type.String(), holds: Type.Boolean() }, closed),
      {
        description: 'The rules that were asked, in order, each by the code with which it refuses.',
      },
    ),
    reads: Type.Array(Type.Object({ key: Type.String(), value: Type.Unknown() }, closed), {
      description: 'State keys that were read first, with the records before; null for none.',
    }),
    writes: Type.Array(
      Type.Object({ key: Type.String(), before: Type.Unknown(), after: Type.Unknown() }, closed),
    ),
    timers: Type.Array(
      Type.Object(
        {
          kind: Type.String({ description: 'The system transition that will come.' }),
          subject: Type.String(),
          height: Type.Union([Height, Type.Null()]),
          time: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
        },
        closed,
      ),
      {
        description:
          'Deadlines that were set: the height and the time in ms that both have to be reached; null if it was removed.',
      },
    ),
    nonce: Type.Union([
      Type.Object({ nonceHash: Type.String(), expiresAtHeight: Height }, closed),
      Type.Null(),
    ]),
    events: Type.Array(
      Type.Object(
        { type: Type.String(), data: Type.Object({}, { additionalProperties: true }) },
        closed,
      ),
    ),
    refusal: Type.Union([
      Type.Object({ code: Type.String(), path: Type.String(), message: Type.String() }, closed),
      Type.Null(),
    ]),
    leftOut: Type.Integer({
      minimum: 0,
      description: 'Entries and long values that are not told.',
    }),
  },
  { title: 'Trace', ...closed, description: 'What one transition did, step by step.' },
);
