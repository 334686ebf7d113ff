/** From the contract. The wallet's forms, words and checks are made of them. */
import contract from '../../../../contract/actions.json' with { type: 'json' };

/** As far as the contract uses it. */
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
  /** Empty for the operator's actions. */
  roles: readonly string[];
  grant: Readonly<Record<string, string>>;
  payload: Schema;
  /** The member that names the signer. */
  actor: string | null;
}

export const ACTIONS = contract.actions as unknown as readonly ActionSpec[];

const byName = new Map(ACTIONS.map((one) => [one.name, one]));
export const actionOf = (name: string): ActionSpec | undefined => byName.get(name);

/** The payload member that a page's address fills: the first one that the signer chooses. */
export const subjectOf = ({ payload, actor }: ActionSpec): string | undefined =>
  payload.required?.find((member) => member !== actor);

/** An agent may grant it to itself. */
export const isPolicyAction = (name: string): boolean =>
  actionOf(name)?.grant['AGENT'] === 'policy';

export function withoutNull(schema: Schema): Schema {
  const inner = schema.anyOf?.find(({ type }) => type !== 'null');
  return inner
    ? { ...inner, ...(schema.description ? { description: schema.description } : {}) }
    : schema;
}
