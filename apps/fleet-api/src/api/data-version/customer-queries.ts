import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import { type ScopedStatement, TenantDatabase } from '../access/tenant-database.ts';
import { CoalescedDataVersions } from './coalesced-data-versions.ts';
import type { DataVersionRow } from './data-version.ts';

interface CustomerRow {
  customer_id: number;
  data_versions: DataVersionRow[];
}

/** Runs statements whose rows each depend on one customer only. */
@Injectable()
export class CustomerQueries {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly versions: CoalescedDataVersions,
  ) {}

  /**
   * Returns the rows of a statement on all customers of the access. Where customers are on different nodes, the statement runs
   * once per customer, and the data versions of all are read first: a row may be newer than its versions, never older.
   */
  async query<Row extends CustomerRow>(
    access: Access,
    build: (statement: ScopedStatement) => string,
  ): Promise<Row[]> {
    const accesses = this.tenants.statementAccesses(access);
    if (accesses.length === 1) return this.tenants.query<Row>(access, build);
    const data_versions = await this.versions.read([...new Set(access.map((entry) => entry.customer_id))]);
    const rows = await Promise.all(accesses.map((one) => this.tenants.query<Row>(one, build)));
    return rows.flat().map((row) => ({ ...row, data_versions }));
  }
}
