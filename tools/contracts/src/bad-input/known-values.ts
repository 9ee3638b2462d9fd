import { jsonBody } from '../deployment/http-exchange.ts';
import type { Target } from '../rules/target.ts';
import type { KnownValues } from './near-valid-values.ts';

/** Lists that contain ids: path, name of the array, field with the id, and the parameter that accepts it. */
const SOURCES = [
  ['/api/v1/alerts', 'alerts', 'id', '/api/v1/alerts/{id} id'],
  ['/api/v1/alerts', 'alerts', 'id', '/api/v1/alerts/{id}/timeline id'],
  ['/api/v1/gpus', 'gpus', 'gpu_id', '/api/v1/gpus/{id} id'],
  ['/api/v1/workspaces', 'workspaces', 'id', 'workspace_id'],
  ['/api/posts', 'posts', 'slug', '/api/posts/{slug} slug'],
  ['/api/posts', 'posts', 'category', 'category'],
] as const;

/** Reads values that exist in the deployment, by parameter, so that requests get past a 404. */
export async function knownValues(target: Target): Promise<KnownValues> {
  const { frontendUrl } = target.options;
  const known: KnownValues =
    frontendUrl === undefined ? {} : { frontend_url: [frontendUrl], redirect_uri: [frontendUrl] };
  for (const [path, list, field, parameter] of SOURCES) {
    const operation = target.operations.find(
      (candidate) => candidate.path === path && candidate.method === 'GET',
    );
    if (!operation || (operation.secured && target.options.token === undefined)) continue;
    const query = operation.parameters.some(({ name }) => name === 'page_size') ? '?page_size=30' : '';
    const response = await target.get(`${path}${query}`, operation.secured ? target.bearer() : {});
    const body = jsonBody(response) as Record<string, Record<string, unknown>[]> & {
      next_page_token?: string;
    };
    known[parameter] = (body[list] ?? []).flatMap((row) =>
      typeof row[field] === 'string' ? row[field] : [],
    );
    if (body.next_page_token !== undefined) known.page_token = [body.next_page_token];
  }
  return known;
}
