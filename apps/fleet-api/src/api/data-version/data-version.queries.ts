import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import { customerIdsOf, type ScopeFilter } from '../access/access-scope.ts';
import { CoalescedDataVersions } from './coalesced-data-versions.ts';
import { type DataKind, type DataVersion, toDataVersion } from './data-version.ts';

/** Reads the current data version of a caller. */
@Injectable()
export class DataVersionQueries {
  constructor(private readonly dataVersions: CoalescedDataVersions) {}

  /** @param kinds the data that the response reads */
  async read(access: Access, kinds: readonly DataKind[], filter: ScopeFilter = {}): Promise<DataVersion> {
    return toDataVersion(await this.dataVersions.read(customerIdsOf(access, filter)), kinds);
  }
}
