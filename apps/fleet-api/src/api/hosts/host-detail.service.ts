import { Injectable } from '@nestjs/common';

@Injectable()
export class HostDetailService {
  async find(..._all: unknown[]): Promise<never> {
    throw new Error('not yet');
  }
}
