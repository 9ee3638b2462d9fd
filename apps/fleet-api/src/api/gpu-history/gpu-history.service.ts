import { Injectable } from '@nestjs/common';

@Injectable()
export class GpuHistoryService {
  async find(..._all: unknown[]): Promise<never> {
    throw new Error('not yet');
  }
}
