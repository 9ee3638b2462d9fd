/**
 * `fetch` as a page's: it says its origin, and keeps and sends cookies where credentials are included. To a page's
 * browser localhost counts as secure, on every port alike.
 */
export function browserFetch(origin: string) {
  const cookies = new Map<string, string>();
  const asked: string[] = [];
  return {
    asked,
    /** @returns how many cookies were deleted, as they are when they expire */
    forget(name: RegExp): number {
      const names = [...cookies.keys()].filter((key) => name.test(key));
      names.forEach((key) => cookies.delete(key));
      return names.length;
    },
    async fetch(request: Request): Promise<Response> {
      asked.push(new URL(request.url).pathname);
      request.headers.set('origin', origin);
      if (request.credentials !== 'include') return fetch(request);
      if (cookies.size > 0)
        request.headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
      const response = await fetch(request);
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '' || /max-age=0/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return response;
    },
  };
}
