import { z } from 'zod';

const client = z.strictObject({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** Compared exactly, as at both providers. RFC 6749, section 3.1.2 forbids a fragment. */
  redirectUris: z
    .array(z.url({ protocol: /^https?$/ }).refine((uri) => !uri.includes('#'), 'must not have a fragment'))
    .min(1),
  /** Display name on the consent page. Default: the client id. */
  name: z.string().min(1).optional(),
});

export const clientsSchema = z.strictObject({ github: client, google: client });

/** An OAuth client that is registered at a provider. */
export type Client = z.infer<typeof client>;
export type Clients = z.infer<typeof clientsSchema>;
