import { Injectable } from '@nestjs/common';

@Injectable()
export class HostsService {
  async list(..._all: unknown[]): Promise<never> {
    throw new Error('not yet');
  }
}
