import { sqlInSources } from '../support/sql-in-sources.ts';
import { tablesWithoutCustomer } from '../support/tenant-sql.ts';

describe('the SQL of the sources', () => {
  const statements = sqlInSources();

  it('has a condition on the customer for each table', () => {
    expect(statements.length).toBeGreaterThan(60);
    expect(statements.map(({ location }) => location.split(':')[0])).toContain(
      'src/api/alerts/alert-relations.sql.ts',
    );
    const faults = statements.flatMap(({ location, sql }) =>
      tablesWithoutCustomer(sql, location).map((fault) => `${location}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it.each([
    ['SELECT id FROM fleet.alerts a WHERE a.id = $1', 'FROM alerts without its customer_id'],
    [
      'SELECT 1 FROM fleet.gpus g JOIN fleet.gpu_days d ON d.gpu_id = g.gpu_id WHERE g.customer_id = $1',
      'JOIN gpu_days without its customer_id',
    ],
    ['UPDATE fleet.gpus SET vendor = $1', 'UPDATE gpus without its customer_id'],
    ['SELECT r.doc FROM ${table} r WHERE r.id = $1', 'FROM of a variable without its customer_id'],
    ['SELECT a.doc FROM fleet.alerts a LIMIT ${rows}', 'FROM alerts without its customer_id'],
  ])('the check fails with %s', (sql, fault) => {
    expect(tablesWithoutCustomer(sql)).toEqual([fault]);
  });
});
