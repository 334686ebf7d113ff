export { durableObjectStore, type DurableStorage } from './durable-object.ts';
export { POSTGRES_TABLE, postgresStore, type PostgresQuery } from './postgres.ts';
export { valkeyStore, type ValkeyCall } from './valkey.ts';
