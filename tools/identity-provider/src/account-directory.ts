import type { Account, ProviderName } from './accounts.ts';

/** Returns the provider's user id: GitHub's numeric id or Google's `sub`. */
export function subjectOf(account: Account, provider: ProviderName): string | undefined {
  return provider === 'github' ? account.github?.id.toString() : account.google?.sub;
}

/** The accounts of both providers. They can be replaced while the providers run. */
export class AccountDirectory {
  #accounts: Account[] = [];

  constructor(accounts: Account[]) {
    this.replace(accounts);
  }

  /** @throws Error if two accounts are the same at a provider; the current accounts stay */
  replace(accounts: Account[]): void {
    for (const provider of ['github', 'google'] as const) {
      const subjects = accounts.flatMap((account) => subjectOf(account, provider) ?? []);
      const repeated = subjects.find((subject, index) => subjects.indexOf(subject) !== index);
      if (repeated !== undefined) throw new Error(`two accounts have the ${provider} id ${repeated}`);
    }
    this.#accounts = accounts;
  }

  at(provider: ProviderName): Account[] {
    return this.#accounts.filter((account) => account[provider]);
  }

  byEmail(provider: ProviderName, email: string): Account | undefined {
    return this.at(provider).find((account) => account.email === email);
  }

  bySubject(provider: ProviderName, subject: string): Account | undefined {
    return this.#accounts.find((account) => subjectOf(account, provider) === subject);
  }
}
