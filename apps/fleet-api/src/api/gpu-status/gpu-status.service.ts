import { Injectable } from '@nestjs/common';

@Injectable()
export class GpuStatusService {
  async list(..._all: unknown[]): Promise<never> {
    throw new Error('not yet');
  }
}
