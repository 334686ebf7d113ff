import { Hash, Height, ValidatorSetChange } from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';

export const ValidatorSetChangesDocument = exactly(
  {
    schema: Type.Literal('NET-VALIDATOR-SET-CHANGES/1'),
    chainId: Type.String(),
    height: Height,
    validatorSetHash: Hash,
    changes: Type.Array(ValidatorSetChange, {
      maxItems: 50,
      description: 'Oldest first.',
    }),
    next: orNull(Height, 'Ask again after this height where more follow.'),
  },
  {
    description:
      'Changes of the set of validators. Each follows from the set before it, so that a client that trusts genesis needs no further trust.',
  },
);
export type ValidatorSetChangesDocument = Static<typeof ValidatorSetChangesDocument>;
