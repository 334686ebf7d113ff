import { ActorId, Height, HttpsUri, MAX_EXPIRY_DISTANCE, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { count } from '../../counters.ts';
import { requireLastHeight } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { MEMORY_SERIALIZER, MemoryEncryption } from './memory-checkpoint.ts';
import { requireProvider } from './memory.ts';

export const registerRuntimeOffer = defineAction({
  name: 'registerRuntimeOffer',
  summary: 'Offer a runtime that can restore agents from their memory, or renew the offer.',
  grant: { RUNTIME_PROVIDER: 'application' },
  payload: exactly({
    providerId: Type.String({ ...ActorId, description: 'The provider, who signs.' }),
    runtimeId: Type.String({ ...RecordId, description: 'The same again renews the offer.' }),
    endpoint: HttpsUri,
    serializer: Type.Literal(MEMORY_SERIALIZER),
    encryptions: Type.Array(MemoryEncryption, {
      minItems: 1,
      uniqueItems: true,
    }),
    maxByteLength: Type.Integer({
      minimum: 1,
      description: 'The largest checkpoint the runtime takes.',
    }),
    expiresAtHeight: Type.Integer({
      ...Height,
      description: 'The last height at which the offer stands, at most 5,000 ahead.',
    }),
  }),
  actor: 'providerId',
  errors: [
    'RUNTIME_PROVIDER_INACTIVE',
    'RUNTIME_OFFER_EXPIRED',
    'RUNTIME_OFFER_EXPIRY_TOO_FAR',
    'RUNTIME_ID_TAKEN',
  ],
  events: ['RuntimeOfferRegistered'],

  check({ state, block }, { providerId, runtimeId, expiresAtHeight }) {
    requireProvider(state, providerId, '/payload/providerId');
    requireLastHeight(expiresAtHeight, block, {
      path: '/payload/expiresAtHeight',
      passed: 'RUNTIME_OFFER_EXPIRED',
      ahead: { most: MAX_EXPIRY_DISTANCE, tooFar: 'RUNTIME_OFFER_EXPIRY_TOO_FAR' },
    });
    const known = state.get('runtime-offer', runtimeId);
    requireThat(
      !known || known.providerId === providerId,
      'RUNTIME_ID_TAKEN',
      '/payload/runtimeId',
    );
    return { isNew: !known };
  },

  apply(context, offer, { isNew }) {
    const { state, emit } = context;
    const { providerId, runtimeId, expiresAtHeight } = offer;
    state.put('runtime-offer', runtimeId, {
      ...offer,
      expired: false,
      offeredAt: positionOf(context),
    });
    if (isNew) count(state, 'runtime-offers', 1);
    emit('RuntimeOfferRegistered', { actorId: providerId, expiresAtHeight, runtimeId });
  },
});
