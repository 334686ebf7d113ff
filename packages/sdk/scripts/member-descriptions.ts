/** Gives members without a description one, so that editors have something to show on hover. */
import type { Description } from './openapi-types.ts';

interface Schema {
  $ref?: string;
  description?: string;
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

/**
 * Descriptions of plain members, by name. They apply to every schema without a description of its own, so each
 * must hold wherever the name occurs.
 */
const PLAIN: Readonly<Record<string, string>> = {
  byteLength: 'Length in bytes.',
  chunkCount: 'Number of chunks.',
  conditionKinds: 'Kinds of acceptance conditions.',
  contentEncoding: 'Form of the content: always sealed.',
  decimals: 'Digits after the decimal point.',
  encryption: 'How the content is encrypted.',
  encryptions: 'Encryptions that the runtime can open.',
  evidence: 'Evidence, such as the hash of the delivered bytes.',
  faultDomain: 'Machines that may fail together, such as a data center.',
  first: 'The first of two contradicting envelopes, as signed.',
  jobType: 'Kind of work, which workers search for.',
  kind: 'The kind: for a message, whether its sender expects an answer.',
  name: 'Name for people.',
  nodeVersion: 'Version of netd that the node runs.',
  outcome: 'The outcome: for a dispute, what happens to the funding.',
  publicKeyHash: 'Lowercase hex SHA-256 of the public key.',
  reason: 'The reason.',
  region: 'Where the node runs.',
  requesterId: 'The agent that signs the request.',
  result: 'The result: for a build, PASS or FAIL.',
  role: 'Name of the role.',
  schema: 'Name and version of the format.',
  second: 'The second of two contradicting envelopes, as signed.',
  serializer: 'Format of the memory.',
  status: 'The status.',
  verdict: 'The verdict, such as that of a review.',
};

export function withMemberDescriptions(description: Description): Description {
  const schemas = { ...description.components?.schemas } as Record<string, Schema>;
  const wordsOf = (member: string, schema: Schema): string | undefined => {
    const { description: own, $ref, anyOf, items } = schema;
    const below = $ref === undefined ? undefined : schemas[$ref.split('/').at(-1) ?? ''];
    const [first] = anyOf ?? [items];
    return own ?? below?.description ?? (first && wordsOf(member, first)) ?? PLAIN[member];
  };
  const described = (schema: Schema): Schema => {
    const { properties, allOf } = schema;
    const members = Object.entries(properties ?? {}).map(([member, one]) => {
      const words = wordsOf(member, one);
      return [member, words === undefined ? one : { ...one, description: words }] as const;
    });
    return {
      ...schema,
      ...(properties ? { properties: Object.fromEntries(members) } : {}),
      ...(allOf ? { allOf: allOf.map(described) } : {}),
    };
  };
  const all = Object.entries(schemas).map(([name, schema]) => [name, described(schema)] as const);
  const components = { ...description.components, schemas: Object.fromEntries(all) };
  return { ...description, components } as Description;
}
