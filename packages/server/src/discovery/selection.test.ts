import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tokenRegistry } from '@netd/documents';
import { Type } from '@netd/protocol/type';
import { parseSelection, select } from './selection.ts';
import { argumentsOf, describeArguments } from './tool-arguments.ts';

const Unet = Type.Integer({ title: 'Unet' });
const Order = Type.Object({ orderId: Type.String(), funding: Unet, note: Type.String() });
const schema = Type.Object({
  total: Type.Integer(),
  best: Type.Union([Order, Type.Null()]),
  orders: Type.Array(Order),
});

describe('a selection', () => {
  it('copies members in its order, and writes amounts as the document’s schema says', () => {
    const selection = parseSelection('orders[orderId funding] best(funding) total', schema);
    const order = { orderId: 'o-1', funding: 1_500_000, note: 'x' };
    const document = { total: 2, best: order, orders: [order, order] };
    const funding = { net: '1.5', unet: 1_500_000 };
    assert.deepEqual(select(document, selection, 1), {
      selected: { orders: [{ orderId: 'o-1', funding }], best: { funding }, total: 2 },
      omitted: { orders: 1 },
    });
  });
  it('refuses a member that the document lacks', () => {
    assert.throws(() => parseSelection('orders(title)', schema), /has no title at this place/);
    assert.throws(() => parseSelection('total(of)', schema), /has no of at this place/);
  });
});

describe('an argument of a tool', () => {
  it('is described by the document’s parameter', () => {
    const creatorId = Type.Optional(Type.String({ description: 'Only tokens of this creator.' }));
    const query = Type.Object({ ...tokenRegistry.query.properties, creatorId });
    const tool = {
      name: 'net_list_tokens' as const,
      title: '',
      description: '',
      document: { ...tokenRegistry, query },
      selection: ['total'],
      next: [],
    };
    const { properties } = describeArguments(argumentsOf(tool));
    assert.deepEqual((properties as Record<string, object>)['creatorId'], {
      type: 'string',
      description: 'Only tokens of this creator.',
    });
  });
});
