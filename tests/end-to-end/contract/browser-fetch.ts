/**
 * A `fetch` like that of a browser page: it sends an Origin, and stores and sends cookies if credentials are included.
 * Cookies apply to all ports of localhost, and `Secure` ones too.
 */
export function browserFetch(origin: string) {
  const cookies = new Map<string, string>();
  const paths: string[] = [];
  return {
    /** Paths of all requests. */
    paths,
    /** Deletes cookies, as if they had expired. Returns their number. */
    deleteCookies(name: RegExp): number {
      const names = [...cookies.keys()].filter((key) => name.test(key));
      names.forEach((key) => cookies.delete(key));
      return names.length;
    },
    async fetch(request: Request): Promise<Response> {
      paths.push(new URL(request.url).pathname);
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
