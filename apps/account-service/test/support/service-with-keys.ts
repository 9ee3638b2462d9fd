import { RunningAccountService } from './running-account-service.ts';

export interface ApiKey {
  id: number;
  key: string;
  updated_at: string;
  [field: string]: unknown;
}

export const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Service where Ada is an administrator of acme, Alan a member and Vera a viewer of its research workspace, and Grace
 * is at globex.
 */
export class ServiceWithKeys {
  private constructor(
    readonly service: RunningAccountService,
    readonly ada: string,
    readonly alan: string,
    readonly vera: string,
    readonly grace: string,
  ) {}

  static async start(): Promise<ServiceWithKeys> {
    const service = await RunningAccountService.start();
    const tokens: string[] = [];
    for (const email of [
      'ada@acme.example',
      'alan@acme.example',
      'vera@acme.example',
      'grace@globex.example',
    ]) {
      tokens.push((await service.session(email)).access_token);
    }
    await service.database.asOwner.query({
      text: `UPDATE account.workspace_members SET role = 'member'
              WHERE user_id = (SELECT id FROM account.users WHERE email = 'alan@acme.example')`,
    });
    const [ada = '', alan = '', vera = '', grace = ''] = tokens;
    return new ServiceWithKeys(service, ada, alan, vera, grace);
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  /** Sends a request below `/keys/`. */
  send(method: string, path: string, token: string, body?: unknown): Promise<Response> {
    return fetch(`${this.service.url}/api/v1/keys/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async create(token = this.ada, workspaceId = 1): Promise<ApiKey> {
    return keyOf(await this.send('POST', '', token, { name: 'rack', workspace_id: workspaceId }));
  }

  async list(token: string): Promise<ApiKey[]> {
    return ((await (await this.send('GET', '', token)).json()) as { api_keys: ApiKey[] }).api_keys;
  }
}

export async function keyOf(response: Response): Promise<ApiKey> {
  return ((await response.json()) as { api_key: ApiKey }).api_key;
}
