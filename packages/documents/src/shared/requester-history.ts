import { exactly, Type } from '@netd/protocol/type';

export const RequesterHistory = exactly(
  {
    funded: Type.Integer({ description: 'Orders it put into escrow.' }),
    paid: Type.Integer(),
    cancelled: Type.Integer({ description: 'Taken back before it was accepted.' }),
    disputed: Type.Integer({ description: 'Verified ones whose payment it disputed.' }),
    lost: Type.Integer({ description: 'Of these disputes, those that ended against it.' }),
  },
  { title: 'RequesterHistory', description: 'Orders of its own, ever: counters, not a score.' },
);
