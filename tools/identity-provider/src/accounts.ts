import { z } from 'zod';

const githubEmail = z.strictObject({
  email: z.string().min(1),
  primary: z.boolean(),
  verified: z.boolean(),
  /** GitHub sets it for the primary address only; `null` for the others. */
  visibility: z.enum(['public', 'private']).nullable(),
});

const githubIdentity = z.strictObject({
  id: z.int().positive(),
  login: z.string().min(1),
  avatarUrl: z.url(),
  /** `email` in the response of `GET /user`; `null` if the user keeps it private. */
  publicEmail: z.string().nullable(),
  /** Response of `GET /user/emails`, in this order. */
  emails: z.array(githubEmail),
});

const googleIdentity = z.strictObject({
  sub: z.string().min(1).max(255),
  pictureUrl: z.url(),
  email: z.string().optional(),
  emailVerified: z.boolean().optional(),
  /** Google Workspace domain; absent for a consumer account. */
  hd: z.string().optional(),
});

const account = z.strictObject({
  /** Value of the account's button on the consent page. The email addresses that the providers return are in `github` and `google`. */
  email: z.string().min(1),
  name: z.string().min(1),
  github: githubIdentity.optional(),
  google: googleIdentity.optional(),
});

/** List of accounts with distinct email addresses, GitHub ids and Google `sub`s. */
export const accountsSchema = z
  .array(account)
  .min(1)
  .superRefine((accounts, context) => {
    const keys: Record<string, unknown[]> = {
      email: accounts.map(({ email }) => email),
      'github.id': accounts.map(({ github }) => github?.id),
      'google.sub': accounts.map(({ google }) => google?.sub),
    };
    for (const [name, values] of Object.entries(keys)) {
      const repeated = values.find((value, i) => value !== undefined && values.indexOf(value) !== i);
      if (repeated !== undefined) {
        context.addIssue({ code: 'custom', message: `two accounts have the ${name} ${repeated}` });
      }
    }
  });

export type ProviderName = 'github' | 'google';
export type GithubEmail = z.infer<typeof githubEmail>;
export type GithubIdentity = z.infer<typeof githubIdentity>;
export type GoogleIdentity = z.infer<typeof googleIdentity>;

/** A user with the profile at each provider; absent: no account there. */
export type Account = z.infer<typeof account>;

/**
 * Builds an account with one verified primary email at both providers, public at GitHub and in a Google Workspace of its
 * domain. Spread it to change a detail:
 *
 * @example
 * const ada = ordinaryAccount({ email: 'ada@acme.example', name: 'Ada Lovelace', login: 'ada', number: 1 });
 * const unverified = { ...ada, google: { ...ada.google, emailVerified: false } };
 *
 * @param person.login GitHub login, also the name of the picture
 * @param person.number GitHub id, and the last digits of Google's 21-digit `sub`
 */
export function ordinaryAccount(person: { email: string; name: string; login: string; number: number }) {
  const { email, name, login, number } = person;
  return {
    email,
    name,
    github: {
      id: number,
      login,
      avatarUrl: `https://pictures.example/github/${login}.png`,
      publicEmail: email,
      emails: [{ email, primary: true, verified: true, visibility: 'public' }],
    },
    google: {
      sub: `1${String(number).padStart(20, '0')}`,
      pictureUrl: `https://pictures.example/google/${login}.png`,
      email,
      emailVerified: true,
      hd: email.slice(email.lastIndexOf('@') + 1),
    },
  } satisfies Account as Account & { github: GithubIdentity; google: GoogleIdentity };
}
