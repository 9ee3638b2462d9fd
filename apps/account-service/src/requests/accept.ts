/**
 * Returns whether the Accept header lists `application/json`. A wildcard or no header selects cookies: see
 * `docs/account-service.md#cookie-mode`.
 */
export function acceptsJson(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [mediaType = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return (
      mediaType === 'application/json' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    );
  });
}
