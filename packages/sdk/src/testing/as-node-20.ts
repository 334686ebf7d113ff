/**
 * With --import: takes from the running Node what the language and the web have got since Node 20, the oldest major that the SDK is
 * for, so that its use in code of the SDK is found without that Node.
 */
const YOUNGER: readonly (readonly [holder: object, names: readonly string[]])[] = [
  [globalThis, ['CloseEvent', 'EventSource', 'Float16Array', 'Iterator', 'WebSocket', 'navigator']],
  [Array, ['fromAsync']],
  [ArrayBuffer.prototype, ['detached', 'transfer', 'transferToFixedLength']],
  [Blob.prototype, ['bytes', 'textStream']],
  [Error, ['isError']],
  [Iterator.prototype, ['drop', 'every', 'filter', 'find', 'flatMap', 'forEach', 'map']],
  [Iterator.prototype, ['reduce', 'some', 'take', 'toArray']],
  [Map, ['groupBy']],
  [Object, ['groupBy']],
  [Promise, ['try', 'withResolvers']],
  [RegExp, ['escape']],
  [Response.prototype, ['bytes']],
  [Set.prototype, ['difference', 'intersection', 'symmetricDifference', 'union']],
  [Set.prototype, ['isDisjointFrom', 'isSubsetOf', 'isSupersetOf']],
];
for (const [holder, names] of YOUNGER)
  for (const name of names) Reflect.deleteProperty(holder, name);
