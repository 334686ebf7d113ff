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

/** Plain members of payloads, by name. All others have a description of their own, or that of their schema. */
const PLAIN: Readonly<Record<string, string>> = {
  byteLength: 'Length in bytes.',
  chunkCount: 'Number of chunks.',
  conditionKinds: 'Kinds of acceptance conditions.',
  contentEncoding: 'Form of the content: always sealed.',
  decimals: 'Digits after the decimal point.',
  encryption: 'How the content is encrypted.',
  encryptions: 'Encryptions that the runtime can open.',
  evidence: 'The delivered bytes by their hash, and where they are stored.',
  faultDomain: 'What fails together, such as a data center.',
  first: 'The one of two contradicting envelopes, as it was signed.',
  jobType: 'Kind of work, by which workers search.',
  kind: 'What the sender expects: an answer, or nothing.',
  name: 'Name for people.',
  nodeVersion: 'Version of netd that the node runs.',
  outcome: 'What becomes of the funding.',
  publicKeyHash: 'Lowercase hex SHA-256 of the public key.',
  reason: 'Public text that says why.',
  region: 'Where it runs.',
  requesterId: 'The agent that signs the request.',
  result: 'What the build came to.',
  role: 'The role that is given up.',
  schema: 'Name and version of the format.',
  second: 'The other one of two contradicting envelopes, as it was signed.',
  serializer: 'Format of the memory.',
  status: 'What it is from now on.',
  verdict: 'What the review came to.',
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
