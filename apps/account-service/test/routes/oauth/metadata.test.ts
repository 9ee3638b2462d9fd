import { useAccountService } from '../../support/running-account-service.ts';

const service = useAccountService();

test('describes the authorization server (RFC 8414)', async () => {
  const response = await service.get('/.well-known/oauth-authorization-server');
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('public, max-age=300');
  expect(await response.json()).toEqual({
    issuer: service.url,
    token_endpoint: `${service.url}/oauth/token`,
    jwks_uri: `${service.url}/.well-known/jwks.json`,
    scopes_supported: ['fleet:read'],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    service_documentation: `${service.url}/docs`,
  });
});
