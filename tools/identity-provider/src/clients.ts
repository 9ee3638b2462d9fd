import { z } from 'zod';

const client = z.strictObject({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** Compared exactly, as both providers do; RFC 6749, section 3.1.2 forbids a fragment. */
  redirectUris: z
    .array(z.url({ protocol: /^https?$/ }).refine((uri) => !uri.includes('#'), 'must not have a fragment'))
    .min(1),
  /** How the consent page calls the client; the client id without it. */
  name: z.string().min(1).optional(),
});

export const clientsSchema = z.strictObject({ github: client, google: client });

/** A service that signs people in with a provider (its "OAuth app" there). */
export type Client = z.infer<typeof client>;
export type Clients = z.infer<typeof clientsSchema>;
