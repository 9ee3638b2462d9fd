import { describeRules } from '@gpu-observatory/contracts/mutants';
import { FRONTEND_URL, useAccountService } from './support/running-account-service.ts';

const service = useAccountService();
const limited = useAccountService({ environment: { RATE_LIMITS: 'true' } });
let token: string;

beforeAll(async () => {
  ({ access_token: token } = await service.session('ada@acme.example'));
  const key = { name: 'rack', workspace_id: 1 };
  const created = await service.post('/api/v1/keys/', key, { authorization: `Bearer ${token}` });
  expect(created.status).toBe(201);
});

describeRules('account', (rule) => ({
  url: rule === 'rate-limit-headers' ? limited.url : service.url,
  options: { token, origin: FRONTEND_URL, frontendUrl: FRONTEND_URL, write: true },
}));
