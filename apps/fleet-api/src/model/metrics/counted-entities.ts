/** Kinds of counted entities; `fleet.entity_counts.kind` is the index. */
export const ENTITY_KINDS = [
  'gpu',
  'host',
  'container',
  'gpu_container',
  'mps_container',
  'vm',
  'process',
  'container_process',
  'agent_session',
  'workspace',
  'key_workspace',
] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

/** `fleet.entity_counts.edge`: the first time an entity was seen, the last time, and the time at which a GPU goes missing. */
export const EDGE = { first: 0, last: 1, missing: 2 } as const;
