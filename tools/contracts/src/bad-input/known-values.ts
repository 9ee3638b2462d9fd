import { jsonOf } from '../deployment/answer.ts';
import type { Subject } from '../rules/subject.ts';

/** Where lists name what details are asked for by: list, array, field, and the parameter that takes it. */
const SOURCES = [
  ['/api/v1/alerts', 'alerts', 'id', '/api/v1/alerts/{id} id'],
  ['/api/v1/alerts', 'alerts', 'id', '/api/v1/alerts/{id}/timeline id'],
  ['/api/v1/gpus', 'gpus', 'gpu_id', '/api/v1/gpus/{id} id'],
  ['/api/v1/workspaces', 'workspaces', 'id', 'workspace_id'],
  ['/api/posts', 'posts', 'slug', '/api/posts/{slug} slug'],
  ['/api/posts', 'posts', 'category', 'category'],
] as const;

/** Values that exist in the deployment, by parameter, so that requests get past "there is none". */
export async function knownValues(subject: Subject): Promise<Record<string, string[]>> {
  const known: Record<string, string[]> = {};
  for (const [path, list, field, parameter] of SOURCES) {
    const operation = subject.operations.find((one) => one.path === path && one.method === 'GET');
    if (!operation || (operation.secured && subject.options.token === undefined)) continue;
    const sized = operation.parameters.some(({ name }) => name === 'page_size') ? '?page_size=30' : '';
    const answer = await subject.get(`${path}${sized}`, operation.secured ? subject.bearer() : {});
    const body = jsonOf(answer) as Record<string, Record<string, unknown>[]> & { next_page_token?: string };
    known[parameter] = (body[list] ?? []).flatMap((row) =>
      typeof row[field] === 'string' ? row[field] : [],
    );
    if (body.next_page_token !== undefined) known.page_token = [body.next_page_token];
  }
  return known;
}
