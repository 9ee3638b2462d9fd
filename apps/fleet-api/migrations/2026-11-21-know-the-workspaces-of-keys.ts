import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Of which workspaces the alerts of an API key are: nearly always of one. Keys are counted for the whole customer only;
 * a caller of some workspaces may be given these counts where all of the key's are among them. Kept up to the import in
 * `total_positions`.
 */
export class KnowTheWorkspacesOfKeys1795248000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Whoever imports waits; whoever reads does not.
    await runner.query('LOCK TABLE fleet.import_positions IN EXCLUSIVE MODE');
    await runner.query(`
      CREATE TABLE fleet.api_key_workspaces (
        customer_id integer NOT NULL,
        api_key_id integer NOT NULL,
        workspace_id integer NOT NULL,
        PRIMARY KEY (customer_id, api_key_id, workspace_id)
      )`);
    await runner.query(`
      INSERT INTO fleet.api_key_workspaces (customer_id, api_key_id, workspace_id)
      SELECT DISTINCT a.customer_id, a.api_key_id, coalesce(a.workspace_id, 0) FROM fleet.alerts a
      WHERE a.api_key_id IS NOT NULL`);
    await runner.query(
      `COMMENT ON COLUMN fleet.api_key_workspaces.workspace_id IS '0: alerts of no workspace'`,
    );
    await runner.query('GRANT SELECT ON fleet.api_key_workspaces TO fleet_api');
    await runner.query('GRANT SELECT, INSERT ON fleet.api_key_workspaces TO fleet_importer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE fleet.api_key_workspaces');
  }
}
