import type { Workspace } from '../src/data/queries.ts';
import { isVisibleScope } from '../src/shell/scope.ts';

const workspaces = [
  { id: 7, customer_id: 1 },
  { id: 8, customer_id: 2 },
] as Workspace[];

it.each([
  [{}, true],
  [{ workspace: '7' }, true],
  [{ customer: '2' }, true],
  [{ customer: '2', workspace: '8' }, true],
  [{ workspace: '999' }, false],
  [{ workspace: 'abc' }, false],
  [{ customer: '3' }, false],
  [{ customer: '1', workspace: '8' }, false],
])('checks the scope %j against the workspaces of the user', (search, isVisible) => {
  expect(isVisibleScope(search, workspaces)).toBe(isVisible);
});
