import { parse } from 'yaml';

interface OAuthClient {
  client_id: unknown;
  client_secret: unknown;
  token_url: string;
  scopes: string[];
}

/** A configuration of json_exporter: https://github.com/prometheus-community/json_exporter/blob/master/examples/config.yml */
interface ExporterConfig {
  modules: Record<
    string,
    {
      metrics: { path: string; labels: Record<string, string>; values: Record<string, string> }[];
      http_client_config: { oauth2: OAuthClient };
    }
  >;
}

/** https://grafana.com/docs/plugins/yesoreyeram-infinity-datasource/latest/configure/#provision-the-data-source */
interface GrafanaConfig {
  datasources: {
    type: string;
    jsonData: {
      auth_method: string;
      oauth2: Omit<OAuthClient, 'client_secret'> & { oauth2_type: string };
      allowedHosts: string[];
    };
    secureJsonData: { oauth2ClientSecret: unknown };
  }[];
}

/** Requests a token and sends a GET as the client of Prometheus and Grafana does: https://pkg.go.dev/golang.org/x/oauth2 */
async function read(
  { client_id: id, client_secret: secret, token_url: tokenUrl, scopes }: OAuthClient,
  url: string,
): Promise<Response> {
  // YAML without quotes would be numbers, which both programs reject.
  expect([typeof id, typeof secret]).toEqual(['string', 'string']);
  const encode = (text: unknown) => new URLSearchParams({ '': String(text) }).toString().slice(1);
  const response = await fetch(tokenUrl, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: scopes.join(' ') }),
  });
  expect(response.status).toBe(200);
  const token = (await response.json()) as { access_token: string; token_type: string; expires_in: number };
  expect(token).toMatchObject({ token_type: 'Bearer', expires_in: expect.any(Number) });
  return fetch(url, { headers: { authorization: `${token.token_type} ${token.access_token}` } });
}

/** Reads with the snippet for json_exporter. Returns the metrics by name and labels. */
export async function probe(snippet: string): Promise<Record<string, number>> {
  const url = /probe (\S+) with/.exec(snippet)?.[1] ?? '';
  const [module] = Object.values((parse(snippet) as ExporterConfig).modules);
  const response = await read(module!.http_client_config.oauth2, url);
  expect(response.status).toBe(200);
  const body = (await response.json()) as object;
  const [{ path, labels, values }] = module!.metrics as [ExporterConfig['modules'][string]['metrics'][0]];
  return Object.fromEntries(
    (valueAt(body, path) as object[]).map((row) => [
      Object.entries(labels)
        .map(([name, label]) => `${name}=${String(valueAt(row, label))}`)
        .join(),
      Number(valueAt(row, values['count'] ?? '')),
    ]),
  );
}

/** Evaluates `{ .field.field[*] }`. */
function valueAt(body: object, path: string): unknown {
  const fields = /^\{ ((?:\.\w+)+)(?:\[\*\])? \}$/.exec(path)?.[1]?.slice(1).split('.') ?? [path];
  return fields.reduce<unknown>((value, field) => (value as Record<string, unknown>)[field], body);
}

/** Reads a path with the data source that the snippet for Grafana provisions. */
export async function query(snippet: string, path: string): Promise<unknown> {
  const [source] = (parse(snippet) as GrafanaConfig).datasources;
  const { type, jsonData, secureJsonData } = source!;
  expect([type, jsonData.auth_method, jsonData.oauth2.oauth2_type]).toEqual([
    'yesoreyeram-infinity-datasource',
    'oauth2',
    'client_credentials',
  ]);
  const client = { ...jsonData.oauth2, client_secret: secureJsonData.oauth2ClientSecret };
  const response = await read(client, `${jsonData.allowedHosts[0]}${path}`);
  expect(response.status).toBe(200);
  return response.json();
}
