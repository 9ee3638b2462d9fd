import { Module } from '@nestjs/common';
import { MediaController } from './media.controller.ts';
import { PublishedMedia } from './published-media.ts';

/** Images and attachments of posts. */
@Module({ controllers: [MediaController], providers: [PublishedMedia] })
export class MediaModule {}
