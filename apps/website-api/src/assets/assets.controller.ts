import { Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IMMUTABLE, PUBLIC, sendRepresentation } from '@gpu-observatory/service-runtime';
import { findAsset } from './assets.ts';

/** `GET /assets/{name}`: stylesheets, scripts and images of the pages. */
@ApiExcludeController()
@Controller('assets')
export class AssetsController {
  @Get(':name')
  getAsset(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const found = findAsset(name);
    if (!found) throw new NotFoundException();
    sendRepresentation(request, reply, found.asset.representation, {
      cacheControl: found.isExact ? IMMUTABLE : PUBLIC,
    });
  }
}
