import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables that all imports use: data versions, digests of imported scrapes, names of workspaces. */
export class CreateImports1795310000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE fleet.data_versions (
        customer_id integer PRIMARY KEY,
        seq bigint NOT NULL,
        imported_at timestamptz(3) NOT NULL,
        alerts_seq bigint NOT NULL DEFAULT 0,
        alerts_at timestamptz(3) NOT NULL DEFAULT 'epoch',
        telemetry_seq bigint NOT NULL DEFAULT 0,
        telemetry_at timestamptz(3) NOT NULL DEFAULT 'epoch'
      )`);
    await runner.query(`
      COMMENT ON TABLE fleet.data_versions IS
        'The import sequence number of each customer. A batch increments it under the row lock, so seq follows commit order. alerts_* and telemetry_* are those of the last batch that changed alerts or other data'`);
    await runner.query(`
      CREATE TABLE fleet.import_digests (
        customer_id integer NOT NULL,
        workspace_id integer NOT NULL,
        digest bytea NOT NULL,
        imported_at timestamptz(3) NOT NULL,
        PRIMARY KEY (customer_id, workspace_id, digest)
      )`);
    await runner.query(`
      COMMENT ON TABLE fleet.import_digests IS
        'Digests of imported scrapes: a scrape with a known digest is a repetition and is skipped'`);
    // Retention deletes digests by age.
    await runner.query(
      'CREATE INDEX import_digests_by_age ON fleet.import_digests (customer_id, imported_at)',
    );
    await runner.query(`
      CREATE TABLE fleet.workspaces (
        customer_id integer NOT NULL,
        workspace_id integer NOT NULL,
        name text COLLATE "C" NOT NULL,
        PRIMARY KEY (customer_id, workspace_id)
      )`);
    await runner.query('GRANT SELECT ON fleet.data_versions, fleet.workspaces TO fleet_api');
    await runner.query(`
      GRANT SELECT, INSERT, UPDATE ON fleet.data_versions, fleet.import_digests, fleet.workspaces TO fleet_importer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE fleet.workspaces, fleet.import_digests, fleet.data_versions');
  }
}
