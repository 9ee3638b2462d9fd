import { columnsOf, withColumn } from '../../src/alerts/columns.ts';

describe('the columns of alerts', () => {
  it('are the initial ones without a choice, and not in the URL', () => {
    const search = withColumn(withColumn({}, 'workspace'), 'workspace');
    expect(columnsOf({})).toEqual(['severity', 'time', 'alert', 'type', 'host', 'state']);
    expect(search.columns).toBeUndefined();
  });

  it('are in the URL when chosen, in their own order', () => {
    const search = withColumn(withColumn({}, 'gpu'), 'state');
    expect(search.columns).toBe('type,host,gpu');
    expect(columnsOf(search)).toEqual(['severity', 'time', 'alert', 'type', 'host', 'gpu']);
  });

  it('keep the first three when all others are hidden', () => {
    expect(columnsOf({ columns: 'none' })).toEqual(['severity', 'time', 'alert']);
  });
});
