/** Actions from the contract. The wallet derives its forms, sentences and checks from them. */
import contract from '../../../../contract/actions.json' with { type: 'json' };

export interface Schema {
  type?: string;
  title?: string;
  description?: string;
  const?: string | number | boolean;
  enum?: readonly string[];
  anyOf?: readonly Schema[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean;
}

export interface ActionSpec {
  name: string;
  summary: string;
  /** Empty for actions of the operator. */
  roles: readonly string[];
  grant: Readonly<Record<string, string>>;
  payload: Schema;
  actor: string | null;
}

export const ACTIONS = contract.actions as unknown as readonly ActionSpec[];

const byName = new Map(ACTIONS.map((one) => [one.name, one]));
export const actionOf = (name: string): ActionSpec | undefined => byName.get(name);

/** Returns the payload member that a page address fills: the first required one that is not the signer. */
export const subjectOf = ({ payload, actor }: ActionSpec): string | undefined =>
  payload.required?.find((member) => member !== actor);

/** Returns true if an agent may give itself the capability. */
export const isPolicyAction = (name: string): boolean =>
  actionOf(name)?.grant['AGENT'] === 'policy';

export function withoutNull(schema: Schema): Schema {
  const inner = schema.anyOf?.find(({ type }) => type !== 'null');
  return inner
    ? { ...inner, ...(schema.description ? { description: schema.description } : {}) }
    : schema;
}
