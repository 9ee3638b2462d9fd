import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Representation } from '@gpu-observatory/service-runtime';
import { isImage } from '../content/media-types.ts';
import { PublishedMedia } from './published-media.ts';

/** Blocks scripts and loads: an SVG that is opened directly can run scripts. */
const MEDIA_POLICY = "default-src 'none'; sandbox";

/** `GET /media/{path}`: images and attachments of posts. */
@ApiExcludeController()
@Controller('media')
export class MediaController {
  constructor(private readonly media: PublishedMedia) {}

  @Get('*')
  async getMedia(
    @Param('*') path: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Representation> {
    const file = await this.media.find(path);
    if (!file) throw new NotFoundException();
    void reply.header('content-security-policy', MEDIA_POLICY);
    if (!isImage(file.contentType)) {
      const name = encodeURIComponent(path.split('/').at(-1) ?? '');
      void reply.header('content-disposition', `attachment; filename*=UTF-8''${name}`);
    }
    return file;
  }
}
