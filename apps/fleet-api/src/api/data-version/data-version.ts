import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import { branchesOf, type ScopeFilter } from '../access/access-scope.ts';
import type { ScopedStatement } from '../access/tenant-database.ts';
import { SharedPositions } from './coalesced-data-versions.ts';

/** Which data an answer was made of: it says the same for as long as no customer of the caller has imported anything. */
export interface DataVersion {
  /** How far each customer's imports had come, by customer. */
  positions: [customerId: number, seq: number][];
  /** The newest of these imports, in milliseconds since the epoch; null when there was none. */
  asOfMs: number | null;
}

/** One JSON array of `[customer_id, seq, imported at in ms]` a customer in scope, of the statement's own snapshot. */
export type PositionRow = [customerId: number, seq: number, importedAtMs: number];

/** The subselect of `PositionRow[]`. */
export function positionsSql(statement: ScopedStatement): string {
  return `SELECT coalesce(json_agg(json_build_array(p.customer_id, p.seq, (extract(epoch FROM p.imported_at) * 1000)::bigint)
      ORDER BY p.customer_id), '[]')
    FROM fleet.data_versions p WHERE ${statement.customers('p')}`;
}

export function dataVersionOf(rows: PositionRow[]): DataVersion {
  return {
    positions: rows.map(([customerId, seq]) => [customerId, seq]),
    asOfMs: rows.length === 0 ? null : Math.max(...rows.map(([, , importedAtMs]) => importedAtMs)),
  };
}

/** Reads where the data of a caller's customers are, and nothing else. */
@Injectable()
export class DataVersionQueries {
  constructor(private readonly positions: SharedPositions) {}

  async read(access: Access, filter: ScopeFilter = {}): Promise<DataVersion> {
    const branches = branchesOf(access, filter);
    return dataVersionOf(await this.positions.read(branches.map(({ customerId }) => customerId)));
  }
}
