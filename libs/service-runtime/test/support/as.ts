/** Returns the URL of the same database for another role. */
export function as(url: string, role: { name: string; password: string }): string {
  const other = new URL(url);
  other.username = encodeURIComponent(role.name);
  other.password = encodeURIComponent(role.password);
  return other.href;
}
