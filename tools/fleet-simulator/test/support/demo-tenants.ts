import type { Tenant } from '../../src/index.ts';

/** Two customers with three and two workspaces. The workspace Sandbox has no API key. */
export const demoTenants: Tenant[] = [
  {
    customer_id: 11,
    workspaces: [
      { workspace_id: 101, name: 'Research', api_key_ids: [1, 2] },
      { workspace_id: 102, name: 'Production Inference', api_key_ids: [3] },
      { workspace_id: 103, name: 'Sandbox', api_key_ids: [] },
    ],
  },
  {
    customer_id: 12,
    workspaces: [
      { workspace_id: 201, name: 'Default', api_key_ids: [4] },
      { workspace_id: 202, name: 'Rendering', api_key_ids: [5, 6] },
    ],
  },
];

export const demoNow = new Date('2026-11-21T03:30:12.345Z');
