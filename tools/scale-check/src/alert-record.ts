import { randomUUID } from 'node:crypto';

/** Builds a line for the importer with an alert that no simulated fleet has. */
export function alertRecord(createdAtMs: number, owner: object = {}): string {
  return JSON.stringify({
    kind: 'alert',
    ...owner,
    id: randomUUID(),
    title: 'Additional alert',
    description: 'Created by scale-check.',
    type: 'gpu_usage',
    severity: 'low',
    created_at: new Date(createdAtMs).toISOString(),
  });
}
