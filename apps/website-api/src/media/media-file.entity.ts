import { HASH, KEY_TEXT, TIME } from '@gpu-observatory/service-runtime/entities';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An image or attachment of posts. */
@Entity('media')
export class MediaFile {
  /** Below `/media/`. */
  @PrimaryColumn(KEY_TEXT)
  path!: string;

  @Column(KEY_TEXT)
  content_type!: string;

  @Column(HASH)
  sha256!: Buffer;

  /** Publication time of the first post that uses the file, or `-infinity` if no post does. */
  @Column(TIME)
  visible_from!: Date;

  @Column({ type: 'bytea' })
  bytes!: Buffer;
}
