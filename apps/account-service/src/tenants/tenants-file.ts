import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { WORKSPACE_ROLES } from '@gpu-observatory/domain-types';
import { OperationError } from '@gpu-observatory/service-runtime/process';
import { parse } from 'yaml';
import { z } from 'zod';
import { DEFAULT_ROLE, DEFAULT_ROLES } from './customer.entity.ts';
import { domainOf, normalizeDomain, parseEmailAddress } from './email-address.ts';
import { oneLineViolation } from '../requests/one-line.ts';
import { SIGN_IN_METHODS } from '../sign-in/sign-in-methods.ts';

/** Maximum number of workspaces per user: more would make an access token exceed the 4 KB limit of a cookie. */
export const MAX_WORKSPACES_PER_USER = 200;

/** Schemas of names, for the tenants file and the commands. */
export const slug = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
    'must consist of at most 63 lower-case letters, digits and hyphens',
  );
export const name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => text.isWellFormed(), 'must not contain lone surrogates')
  .superRefine((text, context) => {
    const message = oneLineViolation(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** @param normalize returns the canonical form, or null for an invalid text */
const normalized = (kind: string, normalize: (text: string) => string | null) =>
  z.string().transform((text, context) => {
    const canonical = normalize(text);
    if (canonical !== null) return canonical;
    context.addIssue({ code: 'custom', message: `"${text}" is not ${kind}` });
    return z.NEVER;
  });

export const email = normalized('an email address', (text) => parseEmailAddress(text)?.address ?? null);
export const domain = normalized('a domain', normalizeDomain);

/** Checks for duplicates before the addresses are normalized; afterwards the second role would replace the first. */
const members = z
  .record(z.string(), z.enum(WORKSPACE_ROLES))
  .superRefine((members, context) => {
    const addresses = Object.keys(members).map((each) => parseEmailAddress(each)?.address ?? each);
    for (const address of findDuplicates(addresses)) {
      context.addIssue({
        code: 'custom',
        message: `${address} occurs twice; a member of a workspace has one role`,
      });
    }
  })
  .pipe(z.record(email, z.enum(WORKSPACE_ROLES)));

const workspace = z.strictObject({
  slug,
  name,
  /** New users join this workspace. Defaults to the first workspace. */
  default: z.boolean().default(false),
  members: members.default({}),
});

/** Maximum lifetime of new API keys. */
export const maxKeyDays = z.int().min(1).max(36_500);

const customer = z.strictObject({
  slug,
  name,
  active: z.boolean().default(true),
  domains: z.array(domain),
  /** Allowed sign-in methods. Defaults to all methods of the deployment. */
  sign_in_methods: z.array(z.enum(SIGN_IN_METHODS)).min(1).optional(),
  /** Whether an account at Google must belong to the Workspace of the email domain. */
  google_workspace_required: z.boolean().default(false),
  default_role: z.enum(DEFAULT_ROLES).default(DEFAULT_ROLE),
  /** Defaults to no maximum. */
  max_key_days: maxKeyDays.optional(),
  administrators: z.array(email).default([]),
  workspaces: z.array(workspace).min(1),
});

const tenantsFile = z.strictObject({ customers: z.array(customer) }).superRefine(({ customers }, context) => {
  const addIssue = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path: ['customers', ...path], message });
  for (const slug of findDuplicates(customers.map((each) => each.slug)))
    addIssue([], `two customers have the slug ${slug}`);
  for (const domain of findDuplicates(customers.flatMap((each) => each.domains))) {
    addIssue([], `the domain ${domain} occurs twice; a domain belongs to one customer`);
  }
  customers.forEach((each, index) => {
    const { slug, domains, workspaces } = each;
    for (const duplicate of findDuplicates(workspaces.map((each) => each.slug))) {
      addIssue([index, 'workspaces'], `two workspaces of ${slug} have the slug ${duplicate}`);
    }
    if (workspaces.filter((each) => each.default).length > 1) {
      addIssue([index, 'workspaces'], `${slug} has more than one default workspace`);
    }
    const memberships = workspaces.flatMap((each) => Object.keys(each.members));
    for (const address of declaredEmails(each)) {
      if (!domains.includes(domainOf(address))) {
        addIssue(
          [index],
          `the domain of ${address} does not belong to ${slug}, so the user could not sign in`,
        );
      }
      if (memberships.filter((member) => member === address).length > MAX_WORKSPACES_PER_USER) {
        addIssue(
          [index],
          `${address} belongs to more than ${MAX_WORKSPACES_PER_USER} workspaces; an administrator has access to all workspaces`,
        );
      }
    }
  });
});

/** Declared state of customers. Other customers are left unchanged. */
export type DeclaredTenants = z.output<typeof tenantsFile>;
export type DeclaredCustomer = z.output<typeof customer>;

/** Returns the email addresses that the file declares for a customer. */
export function declaredEmails({ administrators, workspaces }: DeclaredCustomer): string[] {
  return [...new Set([...administrators, ...workspaces.flatMap(({ members }) => Object.keys(members))])];
}

/**
 * Reads a tenants file (YAML or JSON); `-` is standard input.
 *
 * @throws {OperationError} for an unreadable or invalid file
 */
export async function readTenantsFile(path: string): Promise<DeclaredTenants> {
  const reading = path === '-' ? text(process.stdin) : readFile(path, 'utf8');
  const yaml = await reading.catch((failure: NodeJS.ErrnoException) => {
    throw new OperationError(
      `cannot read ${path} (${failure.code}); --file must be an existing file, or - for standard input`,
    );
  });
  return parseTenants(yaml, path);
}

/** @throws {OperationError} */
export function parseTenants(yaml: string, path: string): DeclaredTenants {
  let document: unknown;
  try {
    document = parse(yaml);
  } catch (failure) {
    throw new OperationError(`${path} is not valid YAML: ${(failure as Error).message}`);
  }
  const result = tenantsFile.safeParse(document);
  if (!result.success)
    throw new OperationError(`${path} is not a valid tenants file:\n${z.prettifyError(result.error)}`);
  for (const { workspaces } of result.data.customers) {
    const [first] = workspaces;
    if (first && !workspaces.some((each) => each.default)) first.default = true;
  }
  return result.data;
}

function findDuplicates(values: string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
