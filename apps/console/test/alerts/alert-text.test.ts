import { ALERT_FORMATS } from '../../src/alerts/alert-text.ts';
import type { AlertItem } from '../../src/data/queries.ts';

const alert: AlertItem = {
  id: '4457aa40-7f0e-4b5e-9a3b-0f1c2d3e4f50',
  created_at: '2026-11-25T12:00:00Z',
  severity: 'high',
  type: 'gpu_ecc',
  state: 'active',
  title: '=HYPERLINK("http://evil.example")',
  description: 'first line\nsecond, "quoted"\tline',
  hostname: null,
  gpu_model: 'NVIDIA H100',
  gpu_serial: null,
  workspace_id: 1,
  api_key_id: null,
};

describe('the texts of selected alerts', () => {
  it('are JSON with every field', () => {
    expect(JSON.parse(ALERT_FORMATS.JSON([alert]))).toEqual([alert]);
  });

  it('quote CSV fields and disarm formulas', () => {
    expect(ALERT_FORMATS.CSV([alert])).toBe(
      'id,created_at,severity,type,state,title,description,hostname,gpu_model,gpu_serial,workspace_id,api_key_id\n' +
        '4457aa40-7f0e-4b5e-9a3b-0f1c2d3e4f50,2026-11-25T12:00:00Z,high,gpu_ecc,active,' +
        `"'=HYPERLINK(""http://evil.example"")","first line\nsecond, ""quoted""\tline",,NVIDIA H100,,1,`,
    );
  });

  it('keep each alert on one line of TSV', () => {
    const [, row] = ALERT_FORMATS.TSV([alert]).split('\n');
    expect(row?.split('\t')).toHaveLength(12);
    expect(row).toContain('first line second, "quoted" line');
  });
});
