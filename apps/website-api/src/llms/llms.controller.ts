import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SiteConfig } from '../config/site.config.ts';
import { deliver } from '../negotiation/deliver.ts';
import { Representation } from '../negotiation/representation.ts';
import { llmsTxt } from './llms-txt.ts';

/** `GET /llms.txt` (contract, section 1). */
@ApiExcludeController()
@Controller('llms.txt')
export class LlmsController {
  private readonly index: Representation;

  constructor(config: SiteConfig) {
    this.index = new Representation('text/plain; charset=utf-8', llmsTxt(config));
  }

  @Get()
  getIndex(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    deliver(request, reply, this.index);
  }
}
