import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Published content and the rights of the runtime role on the schema. The operations command `content sync` fills these
 * tables as the owner. The runtime role only reads them, so a compromised service cannot change a page. Each migration
 * grants the rights on the tables it creates. Drafts are never stored.
 */
export class CreateContent1795222802000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE ALL ON SCHEMA website FROM PUBLIC');
    await runner.query('GRANT USAGE ON SCHEMA website TO website_api');
    await runner.query(`
      CREATE TABLE website.categories (
        slug text COLLATE "C" PRIMARY KEY,
        name text COLLATE "C" NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE website.tags (
        slug text COLLATE "C" PRIMARY KEY,
        name text COLLATE "C" NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE website.posts (
        slug text COLLATE "C" PRIMARY KEY,
        title text COLLATE "C" NOT NULL,
        summary text COLLATE "C" NOT NULL,
        author text COLLATE "C" NOT NULL,
        language text COLLATE "C" NOT NULL,
        published_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        category_slug text COLLATE "C" REFERENCES website.categories (slug),
        tag_slugs text[] COLLATE "C" NOT NULL,
        featured boolean NOT NULL,
        reading_minutes integer NOT NULL,
        canonical_url text COLLATE "C",
        former_paths text[] COLLATE "C" NOT NULL,
        image_path text COLLATE "C",
        body text COLLATE "C" NOT NULL,
        html text COLLATE "C" NOT NULL
      )`);
    // visible_from is the publication time of the first post that uses the file, or -infinity if no post does.
    await runner.query(`
      CREATE TABLE website.media (
        path text COLLATE "C" PRIMARY KEY,
        content_type text COLLATE "C" NOT NULL,
        sha256 bytea NOT NULL,
        visible_from timestamptz(3) NOT NULL,
        bytes bytea NOT NULL
      )`);
    // One row. Each sync that changes content increments the revision, which makes the service reload.
    await runner.query(`
      CREATE TABLE website.content_revision (
        single_row boolean PRIMARY KEY DEFAULT true CHECK (single_row),
        revision bigint NOT NULL
      )`);
    await runner.query('INSERT INTO website.content_revision (revision) VALUES (0)');
    await runner.query(`
      GRANT SELECT ON website.categories, website.tags, website.posts, website.media, website.content_revision
        TO website_api`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE website.content_revision, website.media, website.posts, website.tags, website.categories`);
    await runner.query('REVOKE USAGE ON SCHEMA website FROM website_api');
  }
}
