/**
 * Every promise of the public interface, by id. A test fails if no check cites one. Never reuse an id: reports of
 * other nodes and dates are compared by it.
 */
import { DOCUMENTS } from './requirements/documents.ts';
import { ENDPOINTS } from './requirements/endpoints.ts';
import { RECORDS } from './requirements/records.ts';
import { RULES } from './requirements/rules.ts';
import { SERVICE } from './requirements/service.ts';
import { STATES } from './requirements/states.ts';

/** Sections in the interface's order. */
export const SECTIONS = { SERVICE, RECORDS, DOCUMENTS, STATES, ENDPOINTS, RULES } as const;

export const REQUIREMENTS = {
  ...SERVICE,
  ...RECORDS,
  ...DOCUMENTS,
  ...STATES,
  ...ENDPOINTS,
  ...RULES,
} as const;

export type RequirementId = keyof typeof REQUIREMENTS;
