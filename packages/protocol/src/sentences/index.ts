/** All sentences about phases, reasons, actions and events. CLI, explorer, A2A and MCP take theirs from here. */
export * from './actions.ts';
export * from './events.ts';
export * from './fill.ts';
export * from './order.ts';
