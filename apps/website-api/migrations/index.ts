import { LetTheRuntimeRoleIntoTheSchema1795219200000 } from './2026-11-21-let-the-runtime-role-into-the-schema.ts';
import { KeepPostsAndTheirFiles1795222800000 } from './2026-11-21-keep-posts-and-their-files.ts';
import { KeepContactRequests1795226400000 } from './2026-11-21-keep-contact-requests.ts';
import { KeepFilesUntilTheirPostsAppear1795305600000 } from './2026-11-22-keep-files-until-their-posts-appear.ts';

/** Every migration of the schema `website`, oldest first. */
export const migrations = [
  LetTheRuntimeRoleIntoTheSchema1795219200000,
  KeepPostsAndTheirFiles1795222800000,
  KeepContactRequests1795226400000,
  KeepFilesUntilTheirPostsAppear1795305600000,
];
