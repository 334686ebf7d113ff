import { ACCOUNTING_CLASSES, CLASS_NAMES } from '@netd/ledger';
import { Unet, GenesisPolicy, TOTAL_SUPPLY, UNET_PER_NET } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineDocument } from '../shared/read-document.ts';

export const token = defineDocument({
  name: 'NET-TOKEN/1',
  route: '/v1/token',
  operationId: 'getToken',
  tag: 'accounts',
  summary: 'The native token: metadata and accounting classes',
  description: 'Metadata and accounting classes of the native token.',
  content: {
    symbol: Type.Literal('NET'),
    name: Type.String(),
    decimals: Type.Literal(6),
    baseUnit: Type.Literal('unet'),
    totalSupply: Unet,
    issuance: Type.String(),
    classes: Type.Array(
      exactly({ class: Type.String(), amount: Unet, description: Type.String() }),
      { description: 'Every unet counts in exactly one class.' },
    ),
    classesSum: Unet,
    faucet: GenesisPolicy.properties.faucet,
  },
  build: (snapshot) => {
    const classes = CLASS_NAMES.map((name) => ({
      class: name,
      amount: snapshot.get('supply', name) ?? 0,
      description: ACCOUNTING_CLASSES[name],
    }));
    return {
      symbol: 'NET',
      name: 'NET, the devnet token without monetary value',
      decimals: Math.round(Math.log10(UNET_PER_NET)),
      baseUnit: 'unet',
      totalSupply: TOTAL_SUPPLY,
      issuance: 'The whole supply exists from genesis; nothing mints NET.',
      classes,
      classesSum: classes.reduce((sum, { amount }) => sum + amount, 0),
      faucet: snapshot.get('policy', 'limits')?.faucet,
    };
  },
});
