export type ProviderName = 'github' | 'google';

export interface GithubIdentity {
  id: number;
  login: string;
  avatarUrl: string;
  /** `email` in the response of `GET /user`; `null` if the user keeps it private. */
  publicEmail: string | null;
  /** Response of `GET /user/emails`, in this order. */
  emails: {
    email: string;
    primary: boolean;
    verified: boolean;
    /** GitHub sets it for the primary address only; `null` for the others. */
    visibility: 'public' | 'private' | null;
  }[];
}

interface GoogleIdentity {
  sub: string;
  pictureUrl: string;
  email?: string;
  emailVerified?: boolean;
  /** Google Workspace domain; absent for a consumer account. */
  hd?: string;
}

/** A user with the profile at each provider; absent: no account there. */
export interface Account {
  /** Value of the account's button on the consent page. The email addresses that the providers return are in `github` and `google`. */
  email: string;
  name: string;
  github?: GithubIdentity;
  google?: GoogleIdentity;
}

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
