/**
 * Schemas checked without making programs of them, which the policy of this page forbids: the build puts this in the place of Ajv. TypeBox
 * interprets JSON Schema and words its errors as Ajv does; what differs is made the same here.
 */
import { Check, Errors } from 'typebox/schema';

interface Fault {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  message: string;
}

interface Validate {
  (value: unknown): boolean;
  errors: Fault[] | null;
}

export class Ajv2020 {
  compile(schema: object): Validate {
    const validate: Validate = Object.assign(
      (value: unknown): boolean => {
        const isValid = Check(schema, value);
        validate.errors = isValid ? null : faultsOf(schema, value);
        return isValid;
      },
      { errors: null },
    );
    return validate;
  }
}

function faultsOf(schema: object, value: unknown): Fault[] {
  const [, faults] = Errors(schema, value);
  return (faults as Fault[]).map((fault) => {
    const { requiredProperties, additionalProperties } = fault.params as Record<string, string[]>;
    if (requiredProperties) {
      return { ...fault, params: { missingProperty: requiredProperties[0] } };
    }
    if (additionalProperties) {
      return { ...fault, params: { additionalProperty: additionalProperties[0] } };
    }
    return fault;
  });
}
