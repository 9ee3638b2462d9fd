import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * From when on a file may be served: from the moment the first post that it belongs to appears. A file that belongs to
 * no post was always there, and so is every file until the next sync says otherwise.
 */
export class KeepFilesUntilTheirPostsAppear1795305600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE website.media ADD COLUMN visible_from timestamptz(3) NOT NULL DEFAULT '-infinity'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE website.media DROP COLUMN visible_from');
  }
}
