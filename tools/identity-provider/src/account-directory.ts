import { z } from 'zod';
import { accountsSchema, type Account, type ProviderName } from './accounts.ts';

/** Returns the provider's user id: GitHub's numeric id or Google's `sub`. */
export function subjectOf(account: Account, provider: ProviderName): string | undefined {
  return provider === 'github' ? account.github?.id.toString() : account.google?.sub;
}

/** The accounts of both providers. They can be replaced while the providers run. */
export class AccountDirectory {
  #accounts: Account[];

  constructor(accounts: unknown) {
    this.#accounts = parseAccounts(accounts);
  }

  /** @throws Error with the invalid field; the current accounts stay */
  replace(accounts: unknown): void {
    this.#accounts = parseAccounts(accounts);
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

function parseAccounts(accounts: unknown): Account[] {
  const result = accountsSchema.safeParse(accounts);
  if (!result.success) throw new Error(`The accounts are invalid:\n${z.prettifyError(result.error)}`);
  return result.data;
}
