/**
 * Every promise of the public interface, by id. A check cites the ids it proves; a test fails while one is cited nowhere.
 * An id is never given another meaning: reports of different nodes and days are compared by it.
 */
import { DOCUMENTS } from './requirements/documents.ts';
import { ENDPOINTS } from './requirements/endpoints.ts';
import { RECORDS } from './requirements/records.ts';
import { RULES } from './requirements/rules.ts';
import { SERVICE } from './requirements/service.ts';
import { STATES } from './requirements/states.ts';

/** By section, as the interface has them. */
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
