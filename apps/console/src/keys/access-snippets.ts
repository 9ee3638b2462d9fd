import type { Config } from '../config.ts';

/** What a program needs to read the fleet data API: id and secret of a key that may read. */
export interface MachineClient {
  keyId: number;
  secret: string;
}

export interface Snippet {
  /** Where the text goes. */
  title: string;
  text: string;
}

/** Returns what to run or configure, so that a program reads with a key. */
export function accessSnippets(
  { account_url, fleet_url }: Pick<Config, 'account_url' | 'fleet_url'>,
  { keyId, secret }: MachineClient,
): Snippet[] {
  const tokenUrl = `${account_url}/oauth/token`;
  return [
    {
      // curl prompts for the secret, so it is not in the history of the shell.
      title: 'Shell (curl), which prompts for the key',
      text: `TOKEN=$(curl -sS -u '${keyId}' -d grant_type=client_credentials '${tokenUrl}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/') &&
  curl -sS -H "Authorization: Bearer $TOKEN" '${fleet_url}/api/v1/alerts?page_size=10'
`,
    },
    {
      title: 'Prometheus, through json_exporter (oauth2)',
      text: `# Module of json_exporter; probe ${fleet_url}/api/v1/alerts:summary with it.
modules:
  gpu_observatory_alerts:
    metrics:
      - name: gpu_observatory_alerts
        type: object
        path: '{ .summary.severity[*] }'
        labels: { severity: '{ .value }' }
        values: { count: '{ .count }' }
    http_client_config:
      oauth2:
        client_id: '${keyId}'
        client_secret: '${secret}'
        scopes: ['fleet:read']
        token_url: '${tokenUrl}'
`,
    },
    {
      title: 'Grafana (Infinity data source)',
      text: `# provisioning/datasources/gpu-observatory.yaml
apiVersion: 1
datasources:
  - name: GPU Observatory
    type: yesoreyeram-infinity-datasource
    jsonData:
      auth_method: oauth2
      oauth2:
        oauth2_type: client_credentials
        client_id: '${keyId}'
        token_url: '${tokenUrl}'
        scopes: ['fleet:read']
      allowedHosts: ['${fleet_url}']
    secureJsonData:
      oauth2ClientSecret: '${secret}'
`,
    },
  ];
}
