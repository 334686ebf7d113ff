/**
 * Judges strangers' JSON by strangers' JSON Schemas. Steps are counted the same in JavaScript and Python
 * (`vectors/formats/judge.json`), so that a ledger can bound them.
 */
export { proveAcceptance, type ProvenVerdict } from './acceptance.ts';
export { checkSchema, MAX_SCHEMA_COST, MAX_SCHEMA_DEPTH } from './check-schema.ts';
export { parseExactJson } from './exact-json.ts';
export { judgeBySchema, judging, type SchemaVerdict } from './judge-by-schema.ts';
export { JudgeError, type JudgeErrorCode } from './judge-error.ts';
export { Meter } from './meter.ts';
