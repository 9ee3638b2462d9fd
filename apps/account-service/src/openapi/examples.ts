import type { OperationExample } from '@gpu-observatory/service-runtime';

const FRONTEND_URL = 'https://app.example.com';
/** The challenge of the verifier below: `BASE64URL(SHA-256(verifier))` (RFC 7636, appendix B). */
const CODE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const CODE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CODE = 'Vq3n0mYkZxq1dJ6cT8yQeH5uR2wLpSf7bKgXa9NvM4E';
const SIGN_IN = { parameters: { frontend_url: FRONTEND_URL, code_challenge: CODE_CHALLENGE } };
const CALLBACK = { parameters: { state: 'c9pYvS0mZ1', code: '4f2b8c1d9e' } };
const REFRESH_TOKEN = 'bT7kQx2mWc9ZrVn4HsL1yDf6JgPq8Ua3EoXi5RtKd0M';

const session = {
  access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiI3In0.signature',
  refresh_token: REFRESH_TOKEN,
  token_type: 'Bearer',
  expires_in: 21600,
};

const key = {
  id: 12,
  name: 'rack 12',
  key: '********-****-****-****-********9c10',
  description: 'Agents of rack 12',
  workspace_id: 1,
  workspace_name: 'Training',
  customer_id: 1,
  is_active: true,
  expires_at: '2027-06-30T00:00:00.000Z',
  last_used_at: '2026-11-22T09:41:12.000Z',
  created_at: '2026-11-02T08:15:30.000Z',
  updated_at: '2026-11-02T08:15:30.000Z',
};
const newKey = { ...key, key: '3f6f2c1e-6a0b-4d43-9d6e-5b8a7d2f9c10', last_used_at: '' };

export const examples: Record<string, OperationExample> = {
  signInWithGithub: SIGN_IN,
  signInWithGoogle: SIGN_IN,
  signInWithOidc: SIGN_IN,
  returnFromGithub: CALLBACK,
  returnFromGoogle: CALLBACK,
  returnFromOidc: CALLBACK,
  signInWithPassword: {
    body: {
      email: 'ada@acme.example',
      password: 'correct horse battery staple',
      frontend_url: FRONTEND_URL,
      code_challenge: CODE_CHALLENGE,
    },
    response: { code: CODE },
  },
  listSignInMethods: {
    response: {
      methods: [
        {
          id: 'github',
          type: 'oauth',
          name: 'GitHub',
          url: 'https://account.example.com/api/v1/auth/github',
        },
        {
          id: 'google',
          type: 'oauth',
          name: 'Google',
          url: 'https://account.example.com/api/v1/auth/google',
        },
      ],
    },
  },
  exchangeCode: {
    body: { code: CODE, redirect_uri: FRONTEND_URL, code_verifier: CODE_VERIFIER },
    response: session,
  },
  refreshSession: { body: { refresh_token: REFRESH_TOKEN }, response: session },
  signOut: { body: { refresh_token: REFRESH_TOKEN } },
  listSessions: {
    response: {
      sessions: [
        {
          id: '8c1d5a52-0b7e-4f0b-9a6b-0f6f1f1f7d21',
          current: true,
          method: 'github',
          user_agent: 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/147.0.0.0 Safari/537.36',
          network: '203.0.113.7',
          signed_in_at: '2026-11-22T08:00:00.000Z',
          last_refreshed_at: '2026-11-22T13:55:04.000Z',
          expires_at: '2026-11-23T08:00:00.000Z',
        },
      ],
    },
  },
  endAllSessions: {},
  endSession: { parameters: { session_id: '8c1d5a52-0b7e-4f0b-9a6b-0f6f1f1f7d21' } },
  getMe: {
    response: {
      user: {
        id: 7,
        email: 'ada@acme.example',
        name: 'Ada Lovelace',
        avatar: 'https://avatars.example.com/ada.png',
      },
    },
  },
  listWorkspaces: {
    response: {
      workspaces: [
        {
          id: 1,
          name: 'Training',
          role: 'owner',
          customer_id: 1,
          customer_name: 'Acme',
          created_at: '2026-10-01T12:00:00.000Z',
        },
      ],
    },
  },
  listKeys: { response: { api_keys: [key] } },
  createKey: {
    body: {
      name: 'rack 12',
      description: 'Agents of rack 12',
      workspace_id: 1,
      expires_at: '2027-06-30T00:00:00Z',
    },
    response: { api_key: newKey, message: 'The key was created. Copy it now: it is not shown again.' },
  },
  rotateKey: {
    parameters: { key_id: key.id },
    response: {
      api_key: newKey,
      message: 'The key has a new secret, and the old one is invalid. Copy it now: it is not shown again.',
    },
  },
  deleteKey: { parameters: { key_id: key.id }, response: { message: 'The key was deleted.' } },
  getScopes: {
    parameters: { key_id: key.id },
    response: { scopes: ['telemetry:write'], all_workspaces: false },
  },
  changeScopes: {
    parameters: { key_id: key.id },
    body: { scopes: ['telemetry:write', 'fleet:read'] },
    response: { scopes: ['telemetry:write', 'fleet:read'], all_workspaces: false },
  },
  issueToken: {
    body: { grant_type: 'client_credentials', client_id: String(key.id), client_secret: newKey.key },
    response: {
      access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJrZXk6MTIifQ.signature',
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'fleet:read',
    },
  },
  getAuthorizationServerMetadata: {
    response: {
      issuer: 'https://account.example.com',
      token_endpoint: 'https://account.example.com/oauth/token',
      jwks_uri: 'https://account.example.com/.well-known/jwks.json',
      scopes_supported: ['fleet:read'],
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      service_documentation: 'https://account.example.com/docs',
    },
  },
  listSigningKeys: {
    response: {
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
          y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
          kid: '2026-11-01',
          alg: 'ES256',
          use: 'sig',
        },
      ],
    },
  },
};
