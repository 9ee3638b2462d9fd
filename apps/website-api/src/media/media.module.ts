import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MediaController } from './media.controller.ts';
import { MediaFile } from './media-file.entity.ts';
import { PublishedMedia } from './published-media.ts';

/** Images and attachments of posts. */
@Module({
  imports: [TypeOrmModule.forFeature([MediaFile])],
  controllers: [MediaController],
  providers: [PublishedMedia],
})
export class MediaModule {}
