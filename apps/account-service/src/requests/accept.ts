/**
 * Whether a client asks for JSON: only an Accept that names `application/json` does (decisions, section 3, Cookie
 * mode); a wildcard or no header at all is a browser's.
 */
export function acceptsJson(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [mediaType = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return (
      mediaType === 'application/json' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    );
  });
}
